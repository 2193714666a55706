import type { Plan, PlanProblem, TaskStatus } from '../journal/words/plan.ts';
import type { Wanted } from './editing/wanted.ts';
import type { Draft } from './reading/draft.ts';
import type { SourceFile } from './reading/source-file.ts';

/** How a kind of plan lies in files: what is to know of it beside what all kinds share. */
export interface PlanForm {
  readonly pathspecs: readonly string[];
  /** As they are now, in the order of the plan; null when it is not there. */
  readonly files: () => readonly SourceFile[] | null;
  readonly draft: (files: readonly SourceFile[]) => Promise<Drafted>;
  /** What is to be written for these edits into the files that said this plan. */
  readonly edit: (files: readonly SourceFile[], plan: Plan, wanted: Wanted) => Promise<readonly Rewrite[]>;
  /** The nearest status it has a word for. */
  readonly nearest: (status: TaskStatus) => TaskStatus;
}

export interface Drafted {
  /** Null when it cannot be read at all. */
  readonly draft: Draft | null;
  readonly problems: readonly PlanProblem[];
}

/** A file with its new text; null as the old one: it must not be there yet. */
export interface Rewrite {
  readonly path: string;
  readonly before: string | null;
  readonly text: string;
}
