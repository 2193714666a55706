import type { Failure } from '../../journal/effects/effect.ts';
import type { MergeJudged } from '../../journal/events/work.ts';
import { checkMessage } from './check-message.ts';
import { protectedWords } from './protected-paths.ts';
import type { OpenIteration } from '../../journal/state/state.ts';
import type { TaskInHand } from '../../journal/state/work-state.ts';

const told = (check: string, message: string): Failure => ({ action: 'APPEND', check, message });

/** What was wrong with a merged result, gate by gate. */
export function mergeFailures({ result, results, missing, conflicts, detail }: MergeJudged, chars: number): readonly Failure[] {
  if (result === 'merged') return [];
  const red = results.filter(({ green }) => !green).map(({ gate, ending, output }) => told(gate.command, checkMessage({ ending, output, chars })));
  const clash = conflicts.length === 0 ? [] : [told('', `These files conflict with what was merged meanwhile: ${conflicts.join(', ')}`)];
  const failures = [...missing.map((line) => told('', line)), ...red, ...clash];
  return failures.length > 0 ? failures : [told('', detail)];
}

/** What the next one who takes the task is told of this try. */
export function taskFeedback(iteration: OpenIteration, hand: TaskInHand): string {
  return [...restoredOf(hand), ...refusedEdits(hand), ...endingOf(iteration, hand), ...proofOf(iteration, hand)].join('\n\n');
}

function restoredOf({ settled }: TaskInHand): readonly string[] {
  return settled === null || settled.restored.length === 0 ? [] : [protectedWords(settled.restored)];
}

function refusedEdits({ settled }: TaskInHand): readonly string[] {
  if (!settled || settled.refused.length === 0) return [];
  return [`These changes of the plan were not accepted, and were taken out:\n${settled.refused.map((line) => `- ${line}`).join('\n')}`];
}

function endingOf({ last }: OpenIteration, { isClaimed, problem, settled }: TaskInHand): readonly string[] {
  if (problem !== null) return [problem];
  if (settled?.problem) return [`What the agent left could not be committed: ${settled.problem}`];
  if (isClaimed) return [];
  if (last !== null && last.verdict !== 'ok') return [`The agent before you came to nothing: ${last.why}`];
  return last === null ? [] : ['The agent before you ended without completing the task.'];
}

/** What was red in the worktree comes first: the merged result was not looked at then. */
function proofOf({ judged }: OpenIteration, { merge, isClaimed }: TaskInHand): readonly string[] {
  if (!isClaimed) return [];
  const failures = judged?.green === false ? judged.failures : (merge?.failures ?? []);
  if (failures.length === 0) return [];
  const where = judged?.green === false ? 'in the worktree' : 'merged with the work of the others';
  return [
    `The task was said to be complete, but ${where} this is not so:`,
    ...failures.map(({ check, message }) => (check === '' ? message : `\`${check}\`\n${message}`)),
  ];
}
