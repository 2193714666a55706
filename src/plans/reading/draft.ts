import type { PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import type { Spot } from './page.ts';

/** The content of a plan's files, before it is validated as a whole. */
export interface Draft {
  readonly project: string;
  readonly verify: readonly string[];
  readonly tasks: readonly DraftTask[];
  readonly stories: readonly DraftGroup[];
  readonly milestones: readonly DraftGroup[];
  readonly arrows: readonly Arrow[];
  readonly problems: PlanProblem[];
}

export interface DraftTask {
  /** Its needs are given by arrows. */
  readonly task: PlanTask;
  readonly spot: Spot;
}

export interface DraftGroup {
  readonly id: string;
  readonly title: string;
  readonly path: string | null;
  readonly spot: Spot;
  readonly tasks: readonly Mention[];
}

export interface Mention extends Spot {
  readonly id: string;
}

/** `from` must be complete before `to` can begin. `owner` is the task that declares it, if any. */
export interface Arrow {
  readonly from: Mention;
  readonly to: Mention;
  readonly owner: string | null;
}
