import type { WindowPace } from '../journal/state/limit-clock.ts';
import type { RunState } from '../journal/state/state.ts';

/** A window of an account will be used up before the run has done its tasks. */
export interface Forecast {
  /** How many more of its `open` tasks fit. */
  readonly fits: number;
  readonly open: number;
  readonly window: string;
  /** The used share, 1 for all of it. */
  readonly used: number;
  /** When it will be used up. */
  readonly closesAtMs: number;
}

/** Goes by what the tasks of this run have used so far. Null: everything fits, or nobody can tell yet. */
export function forecastOf({ tasks, windows = {}, stopped }: Pick<RunState, 'tasks' | 'windows' | 'stopped'>): Forecast | null {
  const open = tasks.mayDo ?? 0;
  if (open === 0 || stopped !== null) return null;
  const all = Object.values(windows).flatMap((pace) => closing(pace, open) ?? []);
  return all.toSorted((one, other) => one.fits - other.fits)[0] ?? null;
}

function closing({ window, used, resetsAtMs, atMs, done, since }: WindowPace, open: number): Forecast | null {
  const [share, count, left] = [used - since.used, done - since.done, Math.max(0, 1 - used)];
  if (share <= 0 || count <= 0) return null;
  // A trillionth more, because shares are no exact numbers.
  const fits = Math.floor((left * count) / share + 1e-12);
  const closesAtMs = Math.round(atMs + (left * (atMs - since.atMs)) / share);
  return fits >= open || (resetsAtMs !== null && closesAtMs >= resetsAtMs) ? null : { fits, open, window, used, closesAtMs };
}

/** `4 of 10 tasks before the window closes at 03:10`. */
export function forecastText({ fits, open, window, used }: Forecast, closesAt: string): string {
  return `${fits} of ${open} tasks before the window closes at ${closesAt} (${window}, ${Math.round(used * 100)} % used)`;
}
