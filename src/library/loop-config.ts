import type { AgentFactory } from '../agents/agent-factory.ts';
import type { AGENT, SANDBOX } from '../settings/schema/rows/groups.ts';
import type { LIMITS } from '../settings/schema/rows/limits.ts';
import type { LOOP } from '../settings/schema/rows/loop.ts';
import type { ValueOf } from '../settings/schema/rows/setting-row.ts';
import type { LoopEvent } from './loop-event.ts';

export type { AgentAnswer, AgentFactory, AgentFunction, AgentTokens, FactoryCall, LoopAgent } from '../agents/agent-factory.ts';

/**
 * The options of `runLoop`. All are optional: missing ones come from the settings files of the workspace, then from the defaults. Those of settings have
 * the meaning and the default of docs/reference/settings.md; durations are numbers of seconds or texts such as `10m`.
 */
export interface LoopConfig extends SettingOptions {
  /** The task. Required without a `specFile`. */
  readonly task?: string;
  /** A file to use instead of a task; a relative path starts at `workspaceRoot`. */
  readonly specFile?: string | null;

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
  /** More flags for the agent's command. */
  readonly agentFlags?: readonly string[];
  /** Prices of a million tokens in US dollars, by the name of the model, for agents that report only their tokens. */
  readonly prices?: Readonly<Record<string, TokenPrice>>;
}

/** The options that are settings. */
export interface SettingOptions extends ConfigOf<typeof LOOP>, ConfigOf<typeof LIMITS>, ConfigOf<typeof AGENT>, ConfigOf<typeof SANDBOX> {}

/** The rows with `library`, by the names of their options. Null means not set; for a limit, no limit. */
type ConfigOf<Rows> = { readonly [Key in keyof Rows as OptionName<Rows[Key], Key>]?: Readonly<ValueOf<Rows[Key]>> | null };

type OptionName<Row, Key> = Row extends { readonly library: infer Name } ? (Name extends string ? Name : Key) : never;

export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}
