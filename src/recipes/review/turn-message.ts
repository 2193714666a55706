import type { Story, StoryMode } from '../../journal/words/story.ts';
import { saysAtCap } from '../../plans/review/review-cap.ts';

/** What a turn is committed as where its agent has not done so, in the words of the seed. `story`: as it is after the turn. */
export function turnMessage(mode: StoryMode, story: Story): string {
  if (mode === 'implement') return `feat: [${story.id}] - ${story.title}`;
  if (mode === 'review-fix') return `fix: [${story.id}] - address review feedback`;
  return `review: [${story.id}] - ${decision(story)}`;
}

function decision({ reviewStatus, reviewFeedback }: Story): string {
  if (reviewStatus === 'approved') return saysAtCap(reviewFeedback) ? 'auto-approved at cap' : 'approved';
  return reviewStatus === 'changes_requested' ? 'changes requested' : 'what was left';
}
