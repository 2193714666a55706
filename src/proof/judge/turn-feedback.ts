import type { OpenIteration } from '../../journal/state/state.ts';
import type { StoryTurn } from '../../journal/state/stories-state.ts';

/** A prompt is no list of files. */
const MOST_PATHS = 20;

/** What the next turn of a story is told of this one; empty: there is nothing to tell. */
export function turnFeedback(iteration: OpenIteration, turn: StoryTurn): string {
  return [...endingOf(iteration), ...refusedOf(turn), ...undoneOf(turn), ...redOf(iteration, turn), ...silenceOf(iteration, turn)].join('\n\n');
}

function endingOf({ last }: OpenIteration): readonly string[] {
  return last === null || last.verdict === 'ok' ? [] : [`The agent before you came to nothing: ${last.why}`];
}

function refusedOf({ refused, problem }: StoryTurn): readonly string[] {
  const lines = [...new Set([...refused, ...(problem === null ? [] : [problem])])];
  return lines.length === 0 ? [] : [`This was not accepted, and was put back where it was a change:\n${lines.map((line) => `- ${line}`).join('\n')}`];
}

function undoneOf({ undone }: StoryTurn): readonly string[] {
  if (undone.length === 0) return [];
  const more = undone.length > MOST_PATHS ? ` and ${undone.length - MOST_PATHS} more` : '';
  return [`These files are not to be changed in such a turn, and were put back: ${undone.slice(0, MOST_PATHS).join(', ')}${more}.`];
}

/** What was red keeps the story from moving. */
function redOf({ judged }: OpenIteration, { moves }: StoryTurn): readonly string[] {
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
