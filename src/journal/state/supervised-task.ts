import type { Failure } from '../effects/effect.ts';
import type { ChildRequest } from '../effects/task-effect.ts';
import type { Blocker, DoneSight, WaitSight } from '../events/task.ts';

/** What is known of the folder of a root agent's task. */
export interface SupervisedTask {
  /** What the last look has shown; null when something may have changed since, so that another one is due. */
  readonly sight: { readonly before: number; readonly done: DoneSight } | null;
  readonly looks: number;
  /** Since when something stands at DONE, as far as is known. */
  readonly doneSinceMs: number | null;
  /** What the checks said of the DONE in sight. */
  readonly judged: { readonly green: boolean; readonly failures: readonly Failure[] } | null;
  readonly refusals: number;
  readonly wait: WaitSight | null;
  readonly blockedBy: readonly Blocker[];
  /** The last message on the bus when this life began. */
  readonly busMark: string | null;
  /** The last attempt there was. */
  readonly lastAttempt: { readonly iteration: number; readonly attempt: number } | null;
  /** When the last failed lives ended: as many as it takes to see that there were too many. */
  readonly failedAtMs: readonly number[];
  readonly completionPosted: boolean;
}

/** What is known of the runs that came from this one, by their ids. */
export interface ChildRuns {
  /** Those that are waited for. */
  readonly active: readonly string[];
  /** Those that were started for other tasks, where nobody waits for them; some may have ended long ago. */
  readonly elsewhere: readonly string[];
  /** Asked for, and not yet begun. */
  readonly asked: readonly ChildRequest[];
  readonly started: readonly string[];
  readonly refused: readonly { readonly run: string; readonly why: string }[];
  /** Since when the end of the run waits for them only. */
  readonly awaitedSinceMs: number | null;
  /** Those that were waited for in vain. */
  readonly outlived: readonly string[];
  /** Those that somebody has tried to end. */
  readonly tried: readonly string[];
  /** How many had been started when the last look began: whoever came later may not have been seen by it. */
  readonly startedBeforeLook: number;
}

export const noTask: SupervisedTask = {
  sight: null,
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
