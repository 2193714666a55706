import type { Failure } from '../../journal/effects/effect.ts';
import type { MergeJudged } from '../../journal/events/work.ts';
import type { OpenIteration } from '../../journal/state/state.ts';
import type { StoryTurn } from '../../journal/state/stories-state.ts';
import type { CurrentTask } from '../../journal/state/work-state.ts';
import { protectedWords } from './acceptance.ts';
import { checkMessage } from './feedback.ts';
import { proofFailures } from './proof-words.ts';

const told = (check: string, message: string): Failure => ({ action: 'APPEND', check, message });

/** What was wrong with a merged result, gate by gate. */
export function mergeFailures({ result, results, missing, conflicts, detail, proof }: MergeJudged, chars: number): readonly Failure[] {
  if (result === 'merged') return [];
  const redOf = (all: MergeJudged['results']) =>
    all.filter(({ green }) => !green).map(({ gate, ending, output }) => told(gate.command, checkMessage({ ending, output, chars })));
  const red = [...redOf(results), ...(proof ? proofFailures(proof, redOf(proof.results)) : [])];
  const clash = conflicts.length === 0 ? [] : [told('', `These files conflict with what was merged meanwhile: ${conflicts.join(', ')}`)];
  const failures = [...missing.map((line) => told('', line)), ...red, ...clash];
  return failures.length > 0 ? failures : [told('', detail)];
}

/** The feedback of this try for the next holder of the task. */
export function taskFeedback(iteration: OpenIteration, hand: CurrentTask): string {
  return [...restoredOf(hand), ...refusedEdits(hand), ...endingOf(iteration, hand), ...proofOf(iteration, hand)].join('\n\n');
}

function restoredOf({ settled }: CurrentTask): readonly string[] {
  return settled === null || settled.restored.length === 0 ? [] : [protectedWords(settled.restored)];
}

function refusedEdits({ settled }: CurrentTask): readonly string[] {
  if (!settled || settled.refused.length === 0) return [];
  return [`These changes of the plan were not accepted, and were taken out:\n${settled.refused.map((line) => `- ${line}`).join('\n')}`];
}

function endingOf({ last }: OpenIteration, { isClaimed, problem, settled }: CurrentTask): readonly string[] {
  if (problem !== null) return [problem];
  if (settled?.problem) return [`What the agent left could not be committed: ${settled.problem}`];
  if (isClaimed) return [];
  if (last !== null && last.verdict !== 'ok') return [`The agent before you came to nothing: ${last.why}`];
  return last === null ? [] : ['The agent before you ended without completing the task.'];
}

/** A red gate in the worktree comes first, because the result was then not merged. */
function proofOf({ judged }: OpenIteration, { merge, isClaimed }: CurrentTask): readonly string[] {
  if (!isClaimed) return [];
  const failures = judged?.green === false ? judged.failures : (merge?.failures ?? []);
  if (failures.length === 0) return [];
  const where = judged?.green === false ? 'in the worktree' : 'merged with the work of the others';
  return [
    `The task was said to be complete, but ${where} this is not so:`,
    ...failures.map(({ check, message }) => (check === '' ? message : `\`${check}\`\n${message}`)),
  ];
}

/** A prompt does not list every file. */
const MOST_PATHS = 20;

/** The feedback of this turn for the next turn of the story; empty if there is none. */
export function turnFeedback(iteration: OpenIteration, turn: StoryTurn): string {
  return [...badEndOf(iteration), ...refusedOf(turn), ...undoneOf(turn), ...redOf(iteration, turn), ...silenceOf(iteration, turn)].join('\n\n');
}

function badEndOf({ last }: OpenIteration): readonly string[] {
  return last === null || last.verdict === 'ok' ? [] : [`The agent before you came to nothing: ${last.why}`];
}

function refusedOf({ refused, problem }: StoryTurn): readonly string[] {
  const lines = [...new Set([...refused, ...(problem === null ? [] : [problem])])];
  return lines.length === 0 ? [] : [`This was not accepted, and was put back where it was a change:\n${lines.map((line) => `- ${line}`).join('\n')}`];
}

function undoneOf({ reverted }: StoryTurn): readonly string[] {
  if (reverted.length === 0) return [];
  const more = reverted.length > MOST_PATHS ? ` and ${reverted.length - MOST_PATHS} more` : '';
  return [`These files are not to be changed in such a turn, and were put back: ${reverted.slice(0, MOST_PATHS).join(', ')}${more}.`];
}

/** A red gate keeps the story from moving. */
function redOf({ judged, proved }: OpenIteration, { moves }: StoryTurn): readonly string[] {
  if (judged?.green && proved !== null && proved.failures.length > 0) return proved.failures.map(({ message }) => message);
  if (judged === null || judged.green) return [];
  const said = moves.some(({ to }) => to === 'approved') ? 'approved' : 'ready';
  return [
    `The story was said to be ${said}, but its verify commands are red:`,
    ...judged.failures.map(({ check, message }) => (check === '' ? message : `\`${check}\`\n${message}`)),
  ];
}

function silenceOf({ last }: OpenIteration, { moves, isAsked, mode, refused }: StoryTurn): readonly string[] {
  if (last?.verdict !== 'ok' || moves.length > 0 || isAsked || refused.length > 0) return [];
  return [
    mode === 'review' ? 'The reviewer before you ended without a verdict.' : 'The agent before you ended without saying in tasks.json that the story is ready.',
  ];
}
