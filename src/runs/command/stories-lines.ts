import { printable } from '../../kit/pure/text.ts';
import { questionText } from '../../report/console/question-text.ts';
import type { StoriesView } from '../../report/views/stories-view.ts';

const MOST_SHOWN = 10;

/** The progress of the stories, the current one, and the open questions. */
export function storiesLines(stories: StoriesView): readonly string[] {
  const { plan, branch, mode, story, approved_at_cap, approved_weakly, trouble } = stories;
  const open = stories.questions
    .filter(({ answered }) => !answered)
    .map((question) => `${questionText({ ...question, task: question.story })} (ralph answer "…")`);
  return [
    `Stories ${plan} on branch ${branch}${countsText(stories)}`,
    ...(story === null ? [] : [`Story ${story}, mode ${mode ?? 'unknown'}`]),
    ...(trouble === null ? [] : [`The stories cannot be worked on: ${trouble}`]),
    ...(approved_at_cap.length === 0 ? [] : [`Approved at the review cap: ${approved_at_cap.slice(0, MOST_SHOWN).join(', ')}`]),
    ...(approved_weakly.length === 0 ? [] : [`Approved by a reviewer that could run code (weak): ${approved_weakly.slice(0, MOST_SHOWN).join(', ')}`]),
    ...open.slice(0, MOST_SHOWN),
  ].map(printable);
}

function countsText({ total, open, skip_review }: StoriesView): string {
  return total === null || open === null ? '' : `: ${total - open} of ${total} ${skip_review ? 'pass' : 'approved'}`;
}
