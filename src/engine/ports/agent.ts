import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { ProcessEnding, ProcessIdentity } from '../../process/process-request.ts';
import type { AgentAccount } from './quota.ts';

/** Runs coding agents. One call is one process with fresh context. */
export interface AgentPort {
  readonly name: string;
  /** Absent: nobody knows whose limits it meets. */
  readonly account?: AgentAccount;
  /**
   * The output format for this mode. events: a parsed stream; claims are searched in its last message. lines: plain output; claims are searched in all of it.
   * An agent without a text mode always answers with events.
   */
  outputFormat(output: AgentOutput): 'events' | 'lines';
  /** How this agent can be restricted when it judges. Absent: it may run and write whatever the sandbox allows. */
  readonly judge?: JudgeAbilities;
  /** The command line this request would run, for the banner, the journal and --dry-run. */
  describe(request: AgentRequest): Promise<readonly string[]>;
  /** Resolves with how the agent ended, after everything it started is gone. Never rejects for what the agent did. */
  run(request: AgentRequest, listener: AgentListener, signal: AbortSignal): Promise<ProcessEnding>;
  /** Reads an attempt's spooled output again and reports the same events as `run` did. Null when there is no spool: the agent never started. */
  replay(request: AgentRequest, onEvent: (event: AgentEvent) => void): Promise<'replayed' | null>;
}

export interface JudgeAbilities {
  /** Its tools can neither run nor write anything, so nobody else can answer in its name. */
  readonly isSealed: boolean;
  /** It can read the files of the work tree. */
  readonly canRead: boolean;
}

export type AgentOutput = 'events' | 'text';

export interface AgentRequest {
  readonly prompt: string;
  /** text: plain output, even from an agent that could stream events; its cost is then unknown. */
  readonly output: AgentOutput;
  /** `<run>/<iteration>.<k>`: marks every process of this attempt. */
  readonly marker: string;
  readonly cwd: string;
  /** Variables added to those that all agents of the run get. */
  readonly env?: Readonly<Record<string, string>>;
  /** The attempt's own folder: prompt.md, agent.jsonl, agent.stderr. */
  readonly folder: string;
  readonly idleMs: number;
  readonly deadlineMs: number;
  readonly maxOutputBytes: number;
  readonly lingerMs: number;
  /** The most it may spend, for agents that support a budget; null: no limit. */
  readonly budgetUsd: number | null;
  /**
   * It judges the work of another agent: settings, hooks and memory files of the work tree must not apply to it, and it may neither run nor write anything, as
   * far as the agent supports that.
   */
  readonly judges?: boolean;
}

export interface AgentListener {
  readonly onSpawned: (identity: ProcessIdentity) => void;
  readonly onEvent: (event: AgentEvent) => void;
}
