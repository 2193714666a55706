import { packagePath } from '../../kit/files/package-root.ts';
import { OWN_GIT } from '../../sandbox/environment/environment.ts';
import { GUARDED_TOOLS } from '../../sandbox/guard/judge-tool.ts';
import type { HookName } from '../hooks/hook-input.ts';

interface HookCommand {
  /** As a shell is to read them: quoted words, or variables in quotes. */
  readonly socket: string;
  readonly node: string;
  readonly entry: string;
}

/** Set for the agents of a loop that has given them its own hooks: those of the plugin are then silent. */
export const HOOKS_VARIABLE = 'RALPH_HOOKS';
export const HOOKS_BY_LOOP = 'loop';

/** Longer than the slowest answer, shorter than claude waits. */
const CURL_SECONDS = 25;

/**
 * What a shell runs for one hook. The loop is asked by curl, which takes a third of the time node needs to start; only where that does not answer the same
 * question goes to node. The guard denies where neither can be had.
 */
export function hookCommand(name: HookName, { socket, node, entry }: HookCommand): string {
  const curl = `curl -q -sf --noproxy '*' --max-time ${CURL_SECONDS} --unix-socket ${socket} -H 'content-type: application/json' --data-binary @- http://door/v1/hooks/${name} 2>/dev/null`;
  // Only a program of ours can look into the agent's own repository for it.
  const seen = name === 'stop' ? `[ -z "$${OWN_GIT}" ] && ` : '';
  const asked = `in=$(cat); ${seen}[ -S ${socket} ] && printf %s "$in" | ${curl} && exit`;
  const answered = `printf %s "$in" | ${node} ${entry} ${name}`;
  const closed = ` || { echo 'Ralph cannot ask its guard: neither the loop nor node answers.' >&2; exit 2; }`;
  return `${asked}; ${answered}${name === 'guard' ? closed : ''}`;
}

interface HookEntry {
  readonly matcher?: string;
  readonly hooks: readonly [{ readonly type: 'command'; readonly command: string; readonly timeout: number }];
}

/** The `hooks` of claude's settings and of a plugin: who is called when. */
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
