import type { JournalEvent } from '../../journal/events/journal-event.ts';
import type { Plan, PlanEdit, PlanProblem } from '../../journal/words/plan.ts';

/** A run's truth: events in order, each whole or absent. One writer; who writes holds the run's lock. */
export interface Journal {
  /** Everything written before this journal was opened. A torn last line was cut before. */
  readonly past: readonly JournalEvent[];
  /** Resolves when the line is in the file; with `durable` when it is on the disk. Rejects with JournalLost when it cannot be written. */
  append(event: JournalEvent, durable: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Small values shared by runs, each changed by compare-and-set. The number is the fencing number: who holds an old one loses. */
export interface Registers {
  /** Null when it was never put. */
  get(name: string): Promise<Register | null>;
  /** The same for many names at once, which costs about as much as one. Names that were never put are left out. */
  getMany(names: readonly string[]): Promise<ReadonlyMap<string, Register>>;
  /** Puts the value as number n. `taken`: somebody else put that number first, or the one before it was never put; read again before you try again. */
  put(name: string, n: number, value: unknown): Promise<'put' | 'taken'>;
}

export interface Register {
  readonly n: number;
  /** Undefined when what is there cannot be read: then nobody knows who has it. */
  readonly value: unknown;
}

/** A plan as it lies in one work tree. Only ever read and written whole; what it cannot say is data. */
export interface PlanStore {
  /** Null: it is not there. Problems do not keep a plan from being read as long as its tasks can be told apart. */
  read(): Promise<PlanReading | null>;
  /** Writes into what was read with that digest, keeping comments, order and everything it does not understand. `changed`: somebody was faster. */
  write(digest: string, edits: readonly PlanEdit[]): Promise<'written' | 'changed'>;
  /** The files it consists of, from the top of the work tree, also those it does not have yet: what no branch may bring. As git's pathspecs. */
  readonly pathspecs: readonly string[];
}

export interface PlanReading {
  /** Null when it cannot be read at all: the problems say why. */
  readonly plan: Plan | null;
  /** Of all its files. */
  readonly digest: string;
  /** All there are, in the order of files and lines. A plan with problems is not worked on. */
  readonly problems: readonly PlanProblem[];
}
