import type { IterationResult } from '../../journal/events/iteration.ts';
import type { OpenIteration } from '../../journal/state/state.ts';
import type { TaskInHand } from '../../journal/state/work-state.ts';
import type { WorkLogEntry } from './work-log-entry.ts';

type Ending = Pick<WorkLogEntry, 'action' | 'outcome'>;

/** How a task ended. Only what is on the base is completed. What we left ourselves, or its agent without a claim, is neither that nor failed. */
export function taskEnding(open: OpenIteration, hand: TaskInHand, result: IterationResult): Ending {
  if (hand.released === 'done') return { action: 'completed', outcome: `merged${hand.merge?.commit ? ` as ${hand.merge.commit.slice(0, 7)}` : ''}` };
  if (result === 'abandoned') return { action: 'skipped', outcome: `left unfinished${hand.givenUp === null ? '' : `: ${hand.givenUp}`}` };
  const why = whyFailed(open, hand);
  return why === null ? { action: 'skipped', outcome: 'exited without completing the task' } : { action: 'failed', outcome: why };
}

/** Null: its agent ended well, and said nothing of a completion. */
function whyFailed(open: OpenIteration, hand: TaskInHand): string | null {
  if (hand.released === 'conflict') return `conflict: ${hand.merge?.conflicts.join(', ') || hand.settled?.problem || 'not resolved'}`;
  if (hand.isClaimed) return `said to be complete, not proven: ${whyUnproven(open, hand)}`;
  if (hand.problem !== null) return hand.problem;
  return open.last?.verdict === 'ok' ? null : open.last?.why || 'the agent came to nothing';
}

function whyUnproven({ judged }: OpenIteration, { merge, settled }: TaskInHand): string {
  const red = judged?.checks.filter(({ green }) => !green).map(({ command, line }) => (line === '' ? command : `${command}: ${line}`)) ?? [];
  return red.join('; ') || merge?.detail || settled?.problem || 'red on the merged result';
}
