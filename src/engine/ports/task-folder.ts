import type { Blocker, DoneSight } from '../../journal/events/task.ts';

/** The folder of a task, as its supervisor sees it: what is there now, never followed through a link. */
export interface TaskFolder {
  done(): Promise<DoneSight>;
  /** What WAIT_WITHOUT_RESTART says, empty if nothing; null when it is not there. */
  waitMarker(): Promise<string | null>;
  /** Renames DONE to `DONE.refused-<number>`, and resolves with that name; null when there is no DONE. */
  refuseDone(number: number): Promise<string | null>;
  /** The tasks it depends on that are not done. */
  blockedBy(): Promise<readonly Blocker[]>;
}
