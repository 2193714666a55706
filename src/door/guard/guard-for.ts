import { isAbsolute, join, relative, sep } from 'node:path';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { GUARDED_TOOLS } from '../../sandbox/guard/judge-tool.ts';
import type { AgentSpec, WallSpec } from '../../settings/schema/wall.ts';
import { answerHook } from '../answer-hooks/answer-hook.ts';
import { HOOK_ENTRY, hookCommand } from '../answer-hooks/hook-command.ts';
import { realOf } from '../answer-hooks/hook-world.ts';
import { openSessionMemory } from '../answer-hooks/session-memory.ts';
import type { OpenHooks } from '../door.ts';
import { guardSetup } from './guard-setup.ts';

interface Guarded {
  readonly wall: WallSpec;
  /** The project. */
  readonly root: string;
  /** The folder in which agents have worktrees of their own. */
  readonly worktrees?: string;
  /** Where this run answers. */
  readonly door: string;
  readonly env: Readonly<Record<string, string>>;
  readonly warn: (text: string) => void;
}

interface Guard {
  /** The agent with the guard before its tools; only claude takes one on its command line. */
  readonly guarded: (agent: AgentSpec) => AgentSpec;
  readonly openHooks: OpenHooks;
}

/** The guard of a run that has no hooks of its own: stories bring theirs. */
export function guardFor({ wall, root, worktrees, door, env, warn }: Guarded): Guard {
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

/** An agent that works in a worktree has that for its project. */
function rootOf(cwd: string | null, root: string, worktrees: string | undefined): string {
  if (cwd === null || worktrees === undefined) return root;
  const [name = '..'] = relative(realOf(worktrees), realOf(cwd)).split(sep);
  return name === '..' || name === '' || isAbsolute(name) ? root : join(worktrees, name);
}

/** One that has settings of the operator's keeps those: claude takes only one of them. */
function withGuard(agent: AgentSpec, door: string, warn: Guarded['warn']): AgentSpec {
  if (agent.kind !== 'claude') return agent;
  if (agent.flags.some((flag) => /^--(settings|bare)\b/.test(flag))) {
    warn('the agent has --settings of its own, so the guard does not look at its commands');
    return agent;
  }
  return { ...agent, flags: [...guardFlags(door).map(shellQuote), ...agent.flags] };
}

/** What makes a claude ask the guard before each of its tools. */
function guardFlags(door: string): readonly string[] {
  const command = hookCommand('guard', { socket: shellQuote(door), node: shellQuote(process.execPath), entry: shellQuote(HOOK_ENTRY) });
  const entry = { matcher: GUARDED_TOOLS, hooks: [{ type: 'command', command, timeout: 30 }] };
  return ['--settings', JSON.stringify({ hooks: { PreToolUse: [entry] } })];
}
