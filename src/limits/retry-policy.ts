import type { AttemptVerdict } from '../journal/events/attempt.ts';
import type { RunState } from '../journal/state/state.ts';
import type { SuperviseSpec } from '../settings/schema/run-settings.ts';

/** A usage limit is always retried; an empty or lost attempt only a few times. Neither counts as an iteration. */
export function mayRetry(verdict: AttemptVerdict, repeated: number, repeats: number): boolean {
  switch (verdict) {
    case 'limited':
      return true;
    case 'empty':
    case 'lost':
      return repeated < repeats;
    case 'ok':
    case 'failed':
    case 'fatal':
      return false;
    default:
      return verdict satisfies never;
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * How long to wait after the nth usage limit in a row. With a reset time: until one second after it, but at least a pause that doubles each time,
 * so that a reset time in the past does not make Ralph retry in a busy loop. Without one: 60 s, doubling up to 10 min (seed 000).
 */
export function limitWaitMs(strikes: number, resetInMs: number | null): number {
  if (resetInMs === null) return doubling(MINUTE, strikes, 10 * MINUTE);
  return Math.max(Math.round(resetInMs) + SECOND, doubling(SECOND, strikes, 10 * MINUTE));
}

/** The pause before an iteration that follows n failed ones in a row: none after the first, then doubling to a minute. */
export function failurePauseMs(failuresInARow: number, baseMs: number): number {
  return failuresInARow < 2 ? 0 : doubling(baseMs, failuresInARow - 1, MINUTE);
}

const CRASH_PAUSES = [5, 30, 120];

/** How often an agent is started again after crashes in a row that changed nothing. */
export const MOST_CRASH_RETRIES = CRASH_PAUSES.length;

/** The pause after the nth crash in a row, as a multiple of the pause after failures: a provider or a machine without memory needs more time each time. */
export function crashPauseMs(nth: number, baseMs: number): number {
  return (CRASH_PAUSES[Math.min(nth, MOST_CRASH_RETRIES) - 1] ?? 0) * baseMs;
}

function doubling(baseMs: number, times: number, maximumMs: number): number {
  return Math.min(baseMs * 2 ** Math.min(times - 1, 30), maximumMs);
}

/** The pause before the root agent is restarted: constant, or doubled after each further failure in a row when a backoff is set. */
export function restartPauseMs(failuresInARow: number, { restartDelayMs, backoffMs }: Pick<SuperviseSpec, 'restartDelayMs' | 'backoffMs'>): number {
  if (backoffMs === 0 || failuresInARow < 2) return restartDelayMs;
  const doubled = Math.max(restartDelayMs, 1) * 2 ** Math.min(failuresInARow - 1, 30);
  return Math.max(restartDelayMs, Math.min(doubled, backoffMs));
}

/** The name of the limit when the provider failed temporarily without a usage limit. */
export const OVERLOADED = 'overloaded';

/** The name of the limit that the operator has set for all runs of a day. */
export const DAY_BUDGET = 'cost per day';

/** The name of the limit that a person has set for all machines of a fleet. */
export const FLEET_BUDGET = 'budget of the fleet';

/** Set by a person, and by no provider. */
export const isBudget = (window: string | null): boolean => window === DAY_BUDGET || window === FLEET_BUDGET;

/** The subject of the sentence that says what Ralph waits for. */
export function limitName(window: string | null): string {
  if (window === OVERLOADED) return 'The provider cannot answer';
  if (window === DAY_BUDGET) return 'Cost limit of the day';
  if (window === FLEET_BUDGET) return 'Others have reserved what is left of the budget of the fleet';
  return window === null ? 'Usage limit' : `Usage limit (${window})`;
}

/** The number of the last allowed iteration. An abandoned iteration uses up a number but does not count. 0 means no limit. */
export function lastIterationNumber({ run, abandoned }: RunState): number {
  const maximum = run?.settings.maximumIterations ?? 0;
  return maximum === 0 ? 0 : maximum + abandoned;
}
