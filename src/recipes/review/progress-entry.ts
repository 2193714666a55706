import type { OpenIteration } from '../../journal/state/state.ts';
import type { Story } from '../../journal/words/story.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { checksOf, decisionText, type StoriesView } from './story-turn.ts';

/** The entry of a review in `progress.txt`, in the form that the template demands of all entries. `story`: as it is after the turn. */
export function progressEntry({ number, turn, judged }: OpenIteration, story: Story, view: StoriesView): string {
  const moves = turn?.moves ?? [];
  const weak = moves.some((move) => move.weak) ? ', a weak verdict' : '';
  const review = `review ${story.reviewCount} of ${view.settings.stories.reviewCap}${weak}`;
  const checks = judged?.checks ?? checksOf(story.id, view);
  return [
    '',
    `### Iteration ${number} — [mode: review] — [${oneLine(story.id)}] ${oneLine(story.title)}`,
    `- What was done: reviewed, ${decisionText(story)} (${review}, run ${view.state.run?.id ?? ''})`,
    ...(story.reviewFeedback === '' ? [] : [`- Feedback: ${indented(story.reviewFeedback)}`]),
    `- Verification results: ${checks.length === 0 ? 'not run' : checks.map(({ command, green }) => `${oneLine(command)} ${green ? 'green' : 'red'}`).join(', ')}`,
    ...moves.flatMap(({ notes = '' }) => (notes.trim() === '' ? [] : [`- Learnings: ${indented(notes)}`])),
    '',
  ].join('\n');
}

/** Indentation keeps the text inside its entry. */
const indented = (text: string) => text.trim().split(/\r?\n/).join('\n  ');
