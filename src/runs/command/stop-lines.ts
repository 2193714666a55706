import type { StopAnswer, StoppedRun } from '../manage/stop-run.ts';

const WORDS = {
  over: 'had ended before',
  swept: 'was dead; nothing it started is left',
  stopped: 'has stopped',
  killed: 'was killed, with all it started',
  running: 'still runs; --force kills it',
} as const satisfies Record<StopAnswer, string>;

export function stopLines(run: string, { answer, left }: StoppedRun): readonly string[] {
  if (left.length === 0) return [`Run ${run} ${WORDS[answer]}.`];
  return [`Run ${run} is over, but these processes could not be ended: ${left.join(', ')}.`];
}
