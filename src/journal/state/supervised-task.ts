import type { Failure } from '../effects/effect.ts';
import type { ChildRequest } from '../effects/task-effect.ts';
import type { Blocker, DoneFileState, WaitRequest } from '../events/task.ts';

/** What the run knows about the folder of a root agent's task. */
export interface SupervisedTask {
  /** The result of the last look; null when something may have changed since, so that another look is due. */
  readonly lastLook: { readonly before: number; readonly done: DoneFileState } | null;
  readonly looks: number;
  /** Since when DONE exists, as far as known. */
  readonly doneSinceMs: number | null;
  /** The result of checking the current DONE. */
  readonly judged: { readonly green: boolean; readonly failures: readonly Failure[] } | null;
  readonly refusals: number;
  readonly wait: WaitRequest | null;
  readonly blockedBy: readonly Blocker[];
  /** The last message on the bus when this life began. */
  readonly busMark: string | null;
  /** The last attempt. */
  readonly lastAttempt: { readonly iteration: number; readonly attempt: number } | null;
  /** When the last failed lives ended: as many as are needed to see that there were too many. */
  readonly failedAtMs: readonly number[];
  readonly completionPosted: boolean;
}

/** The child runs of this run, by their ids. */
export interface ChildRuns {
  /** The children that the run waits for. */
  readonly active: readonly string[];
  /** Children for other tasks, which the run does not wait for. Some may have ended long ago. */
  readonly elsewhere: readonly string[];
  /** Requested, and not begun yet. */
  readonly asked: readonly ChildRequest[];
  readonly started: readonly string[];
  readonly refused: readonly { readonly run: string; readonly why: string }[];
  /** Since when the end of the run waits for nothing but them. */
  readonly awaitedSinceMs: number | null;
  /** Children that did not end in time. */
  readonly outlived: readonly string[];
  /** Children that Ralph has tried to end. */
  readonly tried: readonly string[];
  /** How many had been started when the last look began. That look may have missed any later ones. */
  readonly startedBeforeLook: number;
}

export const noTask: SupervisedTask = {
  lastLook: null,
  looks: 0,
  doneSinceMs: null,
  judged: null,
  refusals: 0,
  wait: null,
  blockedBy: [],
  busMark: null,
  lastAttempt: null,
  failedAtMs: [],
  completionPosted: false,
};

export const noChildren: ChildRuns = {
  active: [],
  elsewhere: [],
  asked: [],
  started: [],
  refused: [],
  awaitedSinceMs: null,
  outlived: [],
  tried: [],
  startedBeforeLook: 0,
};
