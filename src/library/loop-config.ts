import type { AgentFactory } from '../agents/agent-factory.ts';
import type { LoopEvent } from './loop-event.ts';

export type { AgentAnswer, AgentFactory, AgentFunction, AgentTokens, FactoryCall, LoopAgent } from '../agents/agent-factory.ts';

/** What `runLoop` is asked for. Everything may be left out: the settings files of the workspace hold then, and after them the defaults. */
export interface LoopConfig {
  /** What is to be done. Needed, unless there is a `specFile`. */
  readonly task?: string;
  /** Shell commands that must exit 0. Those of the settings files run too. Without any, say `noChecks`. */
  readonly checks?: readonly string[];
  /** A file that is given to the agent instead of the task; a relative path begins at `workspaceRoot`. */
  readonly specFile?: string | null;
  /** Default: `COMPLETE`. */
  readonly completionTag?: string;
  /** Default: 25. */
  readonly maxIterations?: number;
  /** In US dollars. Default: no limit. */
  readonly maxCost?: number | null;
  /** In seconds, for the whole loop, also inside of an iteration. Default: no limit. */
  readonly maxTime?: number | null;
  /** A profile of the settings, a command, or `build`; with an `agentFactory` any name. Default: `build`. */
  readonly agent?: string;
  readonly model?: string | null;
  /** Work in a worktree with a branch of its own. Default: false. */
  readonly useWorktree?: boolean;

  /** Default: the current directory. */
  readonly workspaceRoot?: string;
  /** Makes the agents, instead of a command. */
  readonly agentFactory?: AgentFactory;
  /** Aborted, it ends what runs; the result then says `interrupted`. */
  readonly signal?: AbortSignal;
  /** Told everything as it happens. One that throws is told nothing more, and the process is warned. */
  readonly onEvent?: (event: LoopEvent) => void;
  /** Whether SIGINT, SIGTERM and SIGHUP of this process stop the run, as they do on the command line. Default: false. */
  readonly obeySignals?: boolean;
  /** The id of a run that was killed or stopped, or the end of it. It goes on with the settings it was started with. */
  readonly resume?: string;

  /** Go on without any check; then nothing is proven. Default: false. */
  readonly noChecks?: boolean;
  /** Checks that must be red at the start and green in the end. */
  readonly witnesses?: readonly string[];
  /** A file of settings that wins over those of the workspace, as `--config` does. */
  readonly configFile?: string | null;
  /** Default: `always`. */
  readonly requireTag?: 'always' | 'auto' | 'never';
  /** Paths no agent may change, as glob patterns. Those of the settings files hold too. */
  readonly protect?: readonly string[];
  /** What stands around an agent that is a command, and around the checks. A function of yours is never enclosed. Default: `auto`, the strongest that is there. */
  readonly sandbox?: 'auto' | 'docker' | 'os' | 'guard';
  /** Hosts that may be reached beside the model's. Those of the settings files too. */
  readonly allowHosts?: readonly string[];
  /** `clean`: all checks must be green in a fresh checkout too. Default: `none`. */
  readonly verify?: 'clean' | 'none';
  /** Run the checks once before the first iteration. Default: true. */
  readonly baseline?: boolean;
  /** How often a red check is run again at once. Default: 1. */
  readonly flakyRetries?: number;
  readonly parallelChecks?: boolean;
  /** Whether a change of the `specFile` during the run counts. */
  readonly followSpec?: boolean;
  /** Commit every green iteration. In a worktree that is always so. */
  readonly commit?: boolean;
  /** In seconds. Default: 120. */
  readonly checkTimeout?: number;
  /** In seconds, for one agent. Default: three hours; 0 is no limit. */
  readonly iterationTimeout?: number;
  /** In seconds of silence, for agents that are commands. Default: 20 minutes; 0 is no limit. */
  readonly idleTimeout?: number;
  /** In seconds. Default: six hours; 0 is no limit. */
  readonly maxLimitWait?: number;
  /** In seconds, after the second failed iteration in a row; it doubles up to a minute. Default: 1; 0 is none. */
  readonly failurePause?: number;
  /** More flags for the agent's command. */
  readonly agentFlags?: readonly string[];
  /** Default: `full`. */
  readonly autonomy?: 'full' | 'edits' | 'ask';
  /** What a million tokens cost in US dollars, by the name of the model, for agents that tell only their tokens. */
  readonly prices?: Readonly<Record<string, TokenPrice>>;
}

export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}
