import type { RunState } from '../journal/state/state.ts';
import type { Outcome } from '../journal/words/outcome.ts';
import type { FinishedRun } from '../runs/run-options.ts';

/** How a supervised root agent came to its end. */
export interface SuperviseResult {
  /** Whether DONE is there, and every check agrees. */
  readonly done: boolean;
  /** Done without any check: nothing but the agent's word says so. */
  readonly unproven: boolean;
  /** The ending in the words of `--json`; its `message` is a sentence. */
  readonly outcome: Outcome;
  /** How often the root agent was run; a life that was cut short, or that nothing could have helped, is not counted. */
  readonly restarts: number;
  /** What the agent waits for, who does not want to be run again before that; null for every other ending. */
  readonly waiting: string | null;
  /** Runs, by their ids. */
  readonly children: {
    /** Those that were started over this run. */
    readonly started: readonly string[];
    /** Those that were waited for in vain. */
    readonly outlived: readonly string[];
    /** Those that were still at work when it ended. */
    readonly atWork: readonly string[];
  };
  readonly runId: string;
  /** The journal, the prompts and the logs lie there. */
  readonly runFolder: string;
}

export function resultOfRoot({ outcome, view, runFolder }: FinishedRun, { children, task }: Pick<RunState, 'children' | 'task'>): SuperviseResult {
  return {
    done: view.done,
    unproven: view.unproven,
    outcome,
    restarts: view.restarts ?? 0,
    waiting: outcome.stop_reason === 'waiting' ? (task.wait?.reason ?? '') : null,
    children: { started: children.started, outlived: children.outlived, atWork: children.active },
    runId: view.run_id,
    runFolder,
  };
}
