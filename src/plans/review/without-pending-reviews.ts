import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { storyName } from './story-name.ts';

/** Where nobody reviews, a story that was caught in its review is implemented again; what its review said becomes a note. */
export function withoutPendingReviews(plan: StoryPlan): { readonly plan: StoryPlan; readonly changes: readonly string[] } {
  const pending = plan.userStories.filter(isPending);
  if (pending.length === 0) return { plan, changes: [] };
  return {
    plan: { ...plan, userStories: plan.userStories.map((story) => (isPending(story) ? reopened(story) : story)) },
    changes: pending.map(({ id, reviewStatus }) => `Story ${storyName(id)} was ${reviewStatus}: without reviews it is implemented again.`),
  };
}

/** An approval that does not pass is no approval. */
function isPending({ passes, reviewStatus }: Story): boolean {
  return reviewStatus === 'needs_review' || reviewStatus === 'changes_requested' || (reviewStatus === 'approved' && !passes);
}

function reopened(story: Story): Story {
  const said = story.reviewFeedback.trim() === '' ? [] : [`Review feedback: ${story.reviewFeedback.trim()}`];
  const notes = [story.notes, ...said].filter((text) => text !== '').join('\n');
  return { ...story, passes: false, reviewStatus: null, reviewFeedback: '', notes };
}
