import { isAbsolute, join, relative, sep } from 'node:path';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { GUARDED_TOOLS } from '../../sandbox/guard/judge-tool.ts';
import type { AgentSpec, SandboxSpec } from '../../settings/schema/sandbox-spec.ts';
import { answerHook } from '../answer-hooks/answer-hook.ts';
import { HOOK_ENTRY, hookCommand } from '../answer-hooks/hook-command.ts';
import { guardSetup, realOf } from '../answer-hooks/hook-sources.ts';
import { openSessionMemory } from '../answer-hooks/session-memory.ts';
import type { OpenHooks } from '../door.ts';

interface GuardRequest {
  readonly wall: SandboxSpec;
  /** The project. */
  readonly root: string;
  /** The folder with the agents' own worktrees. */
  readonly worktrees?: string;
  /** The path of this run's socket. */
  readonly door: string;
  readonly env: Readonly<Record<string, string>>;
  readonly warn: (text: string) => void;
}

interface Guard {
  /** The agent with the guard's hook added. Only claude accepts one on its command line. */
  readonly guarded: (agent: AgentSpec) => AgentSpec;
  readonly openHooks: OpenHooks;
}

/** The guard of a run without hooks of its own; stories have theirs. */
export function guardFor({ wall, root, worktrees, door, env, warn }: GuardRequest): Guard {
  return {
    guarded: (agent) => withGuard(agent, door, warn),
    openHooks: () => {
      const sessions = openSessionMemory();
      const world = {
        stories: async () => null,
        guard: ({ cwd }: { readonly cwd: string | null }) => guardSetup({ lists: wall.guard, mode: wall.mode, root: rootOf(cwd, root, worktrees), cwd, env }),
        sessions,
        env,
        model: () => null,
        warn,
      };
      return async (name, input) => (name === 'guard' ? await answerHook(name, input, world) : null);
    },
  };
}

/** An agent in a worktree has that worktree as its project. */
function rootOf(cwd: string | null, root: string, worktrees: string | undefined): string {
  if (cwd === null || worktrees === undefined) return root;
  const [name = '..'] = relative(realOf(worktrees), realOf(cwd)).split(sep);
  return name === '..' || name === '' || isAbsolute(name) ? root : join(worktrees, name);
}

/** If the operator already passes settings, they stay: claude accepts only one such flag. */
function withGuard(agent: AgentSpec, door: string, warn: GuardRequest['warn']): AgentSpec {
  if (agent.kind !== 'claude') return agent;
  if (agent.flags.some((flag) => /^--(settings|bare)\b/.test(flag))) {
    warn('the agent has --settings of its own, so the guard does not check its commands');
    return agent;
  }
  return { ...agent, flags: [...guardFlags(door).map(shellQuote), ...agent.flags] };
}

/** The flags that make claude ask the guard before each tool call. */
function guardFlags(door: string): readonly string[] {
  const command = hookCommand('guard', { socket: shellQuote(door), node: shellQuote(process.execPath), entry: shellQuote(HOOK_ENTRY) });
  const entry = { matcher: GUARDED_TOOLS, hooks: [{ type: 'command', command, timeout: 30 }] };
  return ['--settings', JSON.stringify({ hooks: { PreToolUse: [entry] } })];
}
