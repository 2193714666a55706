import type { AgentOutput, Judge } from '../engine/ports/agent.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';

export type Autonomy = 'full' | 'edits' | 'ask';

/** All that is particular to one agent CLI. Each folder beside this file exports one; `definitions.ts` lists them. */
export interface AgentDefinition {
  readonly name: string;
  /** Asked with the lower-case basename of the command, without `.exe`. */
  readonly matches: (commandName: string) => boolean;
  /** When asked for events. lines: plain text, all of which may hold a claim. events: a stream whose last message does. */
  readonly speaks: 'events' | 'lines';
  /**
   * It can print its last word alone, as plain text, unless one of these is among the operator's own words: they choose a format or
   * need one. Absent: it has no such mode.
   */
  readonly textUnless?: readonly string[];
  /** How to call it. Throws an OperatorError for what this agent can never be asked. */
  readonly call: (spec: CallSpec, known: KnownFlags) => AgentCall;
  readonly openParser: (clock: ParserClock) => StreamParser;
  readonly stopWith: 'interrupt' | 'terminate';
  /** What it is when it judges, with these flags of the operator's. Absent: it has no flags that take its tools away. */
  readonly judge?: (flags: readonly string[]) => Judge;
  /** Whether its stream says what it has cost. Of the others with events, tokens tell it, once somebody has said their price. */
  readonly reportsCost: boolean;
  /** What makes the binary print its flags, for agents whose flags differ between versions. Absent: it is never asked. */
  readonly helpArgs?: readonly string[];
}

export interface CallSpec {
  /** `text` only for one that has a `textUnless`. */
  readonly output: AgentOutput;
  readonly autonomy: Autonomy;
  readonly model: string | null;
  /** What it may spend at most; null: no limit. */
  readonly budgetUsd: number | null;
  /** The operator's own flags, one word each. */
  readonly flags: readonly string[];
  readonly asRoot: boolean;
  readonly insideGit: boolean;
  /** Whether a sandbox of ours stands around it: one of its own would not work inside. */
  readonly enclosed: boolean;
  /** What the child inherits, before the call's own changes. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the prompt also lies as a file; it always comes on stdin. */
  readonly promptFile: string;
  readonly cwd: string;
  /** Whether it judges what another agent has made. What lies in the work tree must then not be its settings, hooks or memory, and it gets no tool that runs or writes. */
  readonly judges: boolean;
}

/** The flags the binary names in its help. Null: it was not asked, or gave no answer. */
export type KnownFlags = ReadonlySet<string> | null;

export interface AgentCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** When the lines were written, and where: some agents name a reset only as a wall time. */
export interface ParserClock {
  readonly nowMs: () => number;
  readonly timeZone: string;
}

/** Turns one run's stdout into events. Linear in its input, bounded in memory, and never throws whatever a line holds. */
export interface StreamParser {
  line(text: string): readonly AgentEvent[];
  /** What remains to be said once the stream is over; `exited`: the process was seen to end by itself. */
  end(exited: boolean): readonly AgentEvent[];
  /** True while the agent has said its last word and has nothing running in the background; any later line may undo it. */
  settled(): boolean;
}
