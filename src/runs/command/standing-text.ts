import type { ToldRun } from '../manage/told-runs.ts';

/** How a run stands, in a word or two. */
export function standingText({ sight, state, isRecorded }: ToldRun): string {
  if (!isRecorded) return `${state} (not recorded)`;
  if (sight.kind !== 'run' || sight.stopped === null || state === 'done' || state === 'interrupted') return state;
  const { stop_reason } = sight.stopped;
  return stop_reason === state ? state : `${state}: ${stop_reason}`;
}
