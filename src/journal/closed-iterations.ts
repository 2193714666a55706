import type { ClosedIteration, RunState } from './state/state.ts';
import { saysDone } from './words/claim.ts';

type Judged = Pick<ClosedIteration, 'result' | 'entry'>;

/** In how many of the last iterations a check was red without a break. Abandoned iterations say nothing. */
export function redStreak(closed: readonly Judged[], command: string): number {
  const judged = closed.filter(({ result }) => result !== 'abandoned').toReversed();
  const end = judged.findIndex(({ entry }) => !entry.checks.some((check) => check.command === command && !check.green));
  return end < 0 ? judged.length : end;
}

/** `in the last 3 iterations`. */
export function streakText(iterations: number): string {
  return iterations === 1 ? 'in the last iteration' : `in the last ${iterations} iterations`;
}

/** The last closed iteration whose agent said that it was done; null if none did. */
export function lastClaimed({ closed, claimedEarlier }: Pick<RunState, 'closed' | 'claimedEarlier'>): number | null {
  return closed.findLast(({ claim }) => saysDone(claim))?.number ?? claimedEarlier ?? null;
}
