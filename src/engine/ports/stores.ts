import type { JournalEvent } from '../../journal/events/journal-event.ts';
import type { Plan, PlanEdit, PlanProblem } from '../../journal/words/plan.ts';

/** The events of a run in order, each whole or absent. There is one writer, which holds the run's lock. */
export interface Journal {
  /** All events written before this journal was opened. A torn last line has been cut off. */
  readonly past: readonly JournalEvent[];
  /** Resolves when the line is in the file; with `durable` when it is on the disk. Rejects with JournalLost when it cannot be written. */
  append(event: JournalEvent, durable: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Copies of journals as bytes. What is at a place never changes: a journal only grows. */
export interface JournalMirror {
  /** How many bytes of the journal are there. */
  end(run: string): Promise<number>;
  /** Appends the bytes if the copy ends there, and resolves with its end. Null: this writer may not write any more. */
  append(run: string, at: number, bytes: Buffer): Promise<number | null>;
  /** Some of the bytes from a place on at which bytes were appended; none at the end. */
  read(run: string, from: number): Promise<Buffer>;
}

/** Small values shared by runs, each changed by compare-and-set. The number is the fencing number: a writer with an old number loses. */
export interface Registers {
  /** Null when it was never written. */
  get(name: string): Promise<Register | null>;
  /** Reads many registers at once, for about the cost of one. Names that were never written are left out. */
  getMany(names: readonly string[]): Promise<ReadonlyMap<string, Register>>;
  /** Writes the value as number n. `taken`: somebody else wrote that number first, or the number before it does not exist. Read again before you retry. */
  put(name: string, n: number, value: unknown): Promise<'put' | 'taken'>;
}

export interface Register {
  readonly n: number;
  /** Undefined when the value cannot be read: then the holder is unknown. */
  readonly value: unknown;
}

/** A plan as it is in one work tree. It is read and written as a whole. Problems are data, never exceptions. */
export interface PlanStore {
  /** Null when the plan does not exist. A plan with problems is still read as long as its tasks can be told apart. */
  read(): Promise<PlanReading | null>;
  /** Applies edits to the version with that digest, and keeps comments, order and everything it does not understand. `changed`: somebody else wrote first. */
  write(digest: string, edits: readonly PlanEdit[]): Promise<'written' | 'changed'>;
  /** The files of the plan as git pathspecs from the top of the work tree, including files that do not exist yet. No branch may change them. */
  readonly pathspecs: readonly string[];
}

export interface PlanReading {
  /** Null when it cannot be read at all; the problems say why. */
  readonly plan: Plan | null;
  /** A digest of all its files. */
  readonly digest: string;
  /** All problems, in the order of files and lines. Ralph does not work on a plan with problems. */
  readonly problems: readonly PlanProblem[];
}
