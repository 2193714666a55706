import type { AgentOutput, JudgeAbilities } from '../engine/ports/agent.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';

export type Autonomy = 'full' | 'edits' | 'ask';

/** Everything particular to one agent CLI. Each folder beside this file exports one; `definitions.ts` lists them. */
export interface AgentDefinition {
  readonly name: string;
  /** Called with the lower-case basename of the command, without `.exe`. */
  readonly matches: (commandName: string) => boolean;
  /** Its output when asked for events. lines: plain text, in all of which claims are searched. events: a stream, in whose last message claims are searched. */
  readonly outputFormat: 'events' | 'lines';
  /**
   * It can print only its last message, as plain text, unless the operator's own flags contain one of these, which choose or need a format. Absent: it has no
   * such mode.
   */
  readonly textUnless?: readonly string[];
  /** How to call it. Throws an OperatorError for a call that this agent can never accept. */
  readonly call: (spec: CallSpec, known: KnownFlags) => AgentCall;
  readonly openParser: (clock: ParserClock) => StreamParser;
  readonly stopWith: 'interrupt' | 'terminate';
  /** How far it is restricted when it judges, with these flags of the operator's. Absent: it has no flags that take its tools away. */
  readonly judge?: (flags: readonly string[]) => JudgeAbilities;
  /** Whether its stream reports its cost. For the others with events the cost is computed from tokens, if prices are configured. */
  readonly reportsCost: boolean;
  /** Arguments that make the binary print its flags, for agents whose flags differ between versions. Absent: it is never asked. */
  readonly helpArgs?: readonly string[];
}

export interface CallSpec {
  /** `text` only for an agent with `textUnless`. */
  readonly output: AgentOutput;
  readonly autonomy: Autonomy;
  readonly model: string | null;
  /** The most it may spend; null: no limit. */
  readonly budgetUsd: number | null;
  /** The operator's own flags, one word each. */
  readonly flags: readonly string[];
  readonly asRoot: boolean;
  readonly insideGit: boolean;
  /** Whether it runs in a sandbox of ours: its own sandbox would not work inside. */
  readonly isSandboxed: boolean;
  /** The environment of the process, before the call's own changes. */
  readonly env: Readonly<Record<string, string>>;
  /** A file with the prompt, which is always passed on stdin too. */
  readonly promptFile: string;
  readonly cwd: string;
  /** It judges the work of another agent. Files of the work tree must not be its settings, hooks or memory, and it gets no tool that runs or writes. */
  readonly judges: boolean;
}

/** The flags that the binary's help names. Null: it was not asked, or gave no answer. */
export type KnownFlags = ReadonlySet<string> | null;

export interface AgentCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The time and the time zone of the output: some agents give a limit's reset only as a local time. */
export interface ParserClock {
  readonly nowMs: () => number;
  readonly timeZone: string;
}

/** Parses one run's stdout into events. Linear in its input, bounded in memory, and it never throws, whatever a line contains. */
export interface StreamParser {
  line(text: string): readonly AgentEvent[];
  /** The remaining events at the end of the stream. `exited`: the process was seen to end by itself. */
  end(exited: boolean): readonly AgentEvent[];
  /** True while the agent has finished its turn and nothing runs in the background. Any later line may make it false. */
  settled(): boolean;
}
