import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { ProcessEnding, ProcessIdentity } from '../../process/process-request.ts';

/** Runs coding agents. One call is one process with fresh context. */
export interface AgentPort {
  readonly name: string;
  /**
   * What it answers with when asked for this. events: a parsed stream, whose last message is where claims are looked for. lines: plain
   * output, all of which is looked at. One that has no text mode answers with events whatever it is asked for.
   */
  speaks(output: AgentOutput): 'events' | 'lines';
  /** What it is when it judges; absent: it may run and write whatever stands around it lets it. */
  readonly judge?: Judge;
  /** The command line this request would run, for the banner, the journal and --dry-run. */
  describe(request: AgentRequest): Promise<readonly string[]>;
  /** Resolves with how the agent ended, after everything it started is gone. Never rejects for what the agent did. */
  run(request: AgentRequest, listener: AgentListener, signal: AbortSignal): Promise<ProcessEnding>;
  /** Reads an attempt's spooled output again, in order, as `run` would have reported it, if it is asked for the same output. Null: there is no spool, it never started. */
  replay(request: AgentRequest, onEvent: (event: AgentEvent) => void): Promise<'replayed' | null>;
}

export interface Judge {
  /** It has no tool that runs or writes anything, so that nobody but itself can speak for it. */
  readonly isSealed: boolean;
  /** It can read the files of the work tree. */
  readonly canRead: boolean;
}

export type AgentOutput = 'events' | 'text';

export interface AgentRequest {
  readonly prompt: string;
  /** text: plain output even from an agent that could stream events; what it costs is not told then. */
  readonly output: AgentOutput;
  /** `<run>/<iteration>.<k>`: marks every process of this attempt. */
  readonly marker: string;
  readonly cwd: string;
  /** What its environment has beside what all agents of the run have. */
  readonly env?: Readonly<Record<string, string>>;
  /** The attempt's own folder: prompt.md, agent.jsonl, agent.stderr. */
  readonly folder: string;
  readonly idleMs: number;
  readonly deadlineMs: number;
  readonly maxOutputBytes: number;
  readonly lingerMs: number;
  /** What it may spend at most, where it can keep to that; null: no limit. */
  readonly budgetUsd: number | null;
  /** Whether it judges what another agent has made: then nothing in the work tree may be its settings, hooks or memory, and it may neither run nor write anything, as far as it can be told so. */
  readonly judges?: boolean;
}

export interface AgentListener {
  readonly onSpawned: (identity: ProcessIdentity) => void;
  readonly onEvent: (event: AgentEvent) => void;
}
