import { packagePath } from '../../kit/files/package-root.ts';
import { OWN_GIT } from '../../sandbox/environment/environment.ts';
import { GUARDED_TOOLS } from '../../sandbox/guard/judge-tool.ts';
import type { HookName } from '../hooks/hook-input.ts';

interface HookCommand {
  /** Shell words: quoted text, or variables in quotes. */
  readonly socket: string;
  readonly node: string;
  readonly entry: string;
}

/** Set for agents whose loop has given them its own hooks. The plugin's hooks then do nothing. */
export const HOOKS_VARIABLE = 'RALPH_HOOKS';
export const HOOKS_BY_LOOP = 'loop';

/** Longer than the slowest answer, shorter than claude's timeout. */
const CURL_SECONDS = 25;

/**
 * The shell command of one hook. curl asks the loop, in a third of the time that node needs to start. If that fails, node answers the same question. The guard
 * denies if neither answers.
 */
export function hookCommand(name: HookName, { socket, node, entry }: HookCommand): string {
  const curl = `curl -q -sf --noproxy '*' --max-time ${CURL_SECONDS} --unix-socket ${socket} -H 'content-type: application/json' --data-binary @- http://door/v1/hooks/${name} 2>/dev/null`;
  // The loop cannot see the agent's own repository, so node must read it.
  const unlessOwnGit = name === 'stop' ? `[ -z "$${OWN_GIT}" ] && ` : '';
  const viaLoop = `in=$(cat); ${unlessOwnGit}[ -S ${socket} ] && printf %s "$in" | ${curl} && exit`;
  const viaNode = `printf %s "$in" | ${node} ${entry} ${name}`;
  const denial = ` || { echo 'Ralph cannot ask its guard: neither the loop nor node answers.' >&2; exit 2; }`;
  return `${viaLoop}; ${viaNode}${name === 'guard' ? denial : ''}`;
}

interface HookEntry {
  readonly matcher?: string;
  readonly hooks: readonly [{ readonly type: 'command'; readonly command: string; readonly timeout: number }];
}

/** The `hooks` section of claude's settings and of a plugin: which command runs at which event. */
export function hooksFor(command: (name: HookName) => string): Readonly<Record<string, readonly HookEntry[]>> {
  const call = (name: HookName, timeout: number) => [{ type: 'command', command: command(name), timeout }] as const;
  return {
    SessionStart: [{ hooks: call('session-start', 10) }],
    PreToolUse: [{ matcher: GUARDED_TOOLS, hooks: call('guard', 30) }],
    PostToolUse: [{ matcher: '*', hooks: call('context', 30) }],
    Stop: [{ hooks: call('stop', 60) }],
  };
}

/** The single-file entry of the hooks. */
export const HOOK_ENTRY = packagePath('plugin', 'hooks', 'ralph-hook.cjs');
