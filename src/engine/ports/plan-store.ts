import type { Plan, PlanEdit, PlanProblem } from '../../journal/words/plan.ts';

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
