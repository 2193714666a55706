import type { AgentFactory } from '../agents/agent-factory.ts';
import type { LoopEvent } from './loop-event.ts';

export type { AgentAnswer, AgentFactory, AgentFunction, AgentTokens, FactoryCall, LoopAgent } from '../agents/agent-factory.ts';

/** The options of `runLoop`. All are optional: missing ones come from the settings files of the workspace, then from the defaults. */
export interface LoopConfig {
  /** The task. Required without a `specFile`. */
  readonly task?: string;
  /** Shell commands that must exit 0, in addition to those of the settings files. Set `noChecks` to run without any. */
  readonly checks?: readonly string[];
  /** A file to use instead of a task; a relative path starts at `workspaceRoot`. */
  readonly specFile?: string | null;
  /** Default: `COMPLETE`. */
  readonly completionTag?: string;
  /** Default: 25. */
  readonly maxIterations?: number;
  /** In US dollars. Default: no limit. */
  readonly maxCost?: number | null;
  /** In seconds, for the whole loop; it also interrupts an iteration. Default: no limit. */
  readonly maxTime?: number | null;
  /** A profile in the settings, a command, or `build`; with an `agentFactory` any name. Default: `build`. */
  readonly agent?: string;
  readonly model?: string | null;
  /** Work in a new worktree on a new branch. Default: false. */
  readonly useWorktree?: boolean;

  /** Default: the current directory. */
  readonly workspaceRoot?: string;
  /** Creates the agents, instead of a command. */
  readonly agentFactory?: AgentFactory;
  /** Abort it to stop the loop; the result is then `interrupted`. */
  readonly signal?: AbortSignal;
  /** Receives every event as it happens. If it throws, it is not called again and the process gets a warning. */
  readonly onEvent?: (event: LoopEvent) => void;
  /** Whether SIGINT, SIGTERM and SIGHUP to this process stop the run, as on the command line. Default: false. */
  readonly obeySignals?: boolean;
  /** The id of a run that was killed or stopped, or the last characters of it. It continues with the settings it was started with. */
  readonly resume?: string;

  /** Run without any check; then nothing is proven. Default: false. */
  readonly noChecks?: boolean;
  /** Checks that must be red at the start and green at the end. */
  readonly witnesses?: readonly string[];
  /** A settings file that overrides those of the workspace, like `--config`. */
  readonly configFile?: string | null;
  /** Default: `always`. */
  readonly requireTag?: 'always' | 'auto' | 'never';
  /** Paths no agent may change, as glob patterns, in addition to those of the settings files. */
  readonly protect?: readonly string[];
  /** The sandbox for an agent that is a command, and for the checks. An agent function is never sandboxed. Default: `auto`, the strongest available. */
  readonly sandbox?: 'auto' | 'docker' | 'os' | 'guard';
  /** Hosts that may be reached besides the model's, in addition to those of the settings files. */
  readonly allowHosts?: readonly string[];
  /** `clean`: all checks must also be green in a fresh checkout. Default: `none`. */
  readonly verify?: 'clean' | 'none';
  /** Run the checks once before the first iteration. Default: true. */
  readonly baseline?: boolean;
  /** How often a red check is run again at once. Default: 1. */
  readonly flakyRetries?: number;
  readonly parallelChecks?: boolean;
  /** Whether to follow changes of the `specFile` during the run. */
  readonly followSpec?: boolean;
  /** Commit every green iteration. A worktree always commits. */
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
  /** Prices of a million tokens in US dollars, by the name of the model, for agents that report only their tokens. */
  readonly prices?: Readonly<Record<string, TokenPrice>>;
}

export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}
