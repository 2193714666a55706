import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { isDone } from '../../plans/review/next-turn.ts';

/** How far a list of stories is. */
export interface StoryCounts {
  readonly total: number;
  readonly approved: number;
  readonly passes: number;
  /** Those that do not count yet. */
  readonly open: number;
  readonly reviews: number;
}

export function storyCounts({ userStories }: StoryPlan, skipReview: boolean): StoryCounts {
  const count = (counts: (story: Story) => boolean) => userStories.filter(counts).length;
  return {
    total: userStories.length,
    approved: count(isApproved),
    passes: count(({ passes }) => passes),
    open: count((story) => !isDone(story, skipReview)),
    reviews: userStories.reduce((sum, { reviewCount }) => sum + reviewCount, 0),
  };
}

const isApproved = ({ passes, reviewStatus }: Story) => passes && reviewStatus === 'approved';

/** `2 of 5 stories approved`: of those that nobody reviews, which pass. The noun is left out where it stands before. */
export function storiesDoneText(plan: StoryPlan, skipReview: boolean, noun = plan.userStories.length === 1 ? ' story' : ' stories'): string {
  const { total, open } = storyCounts(plan, skipReview);
  return `${total - open} of ${total}${noun} ${skipReview ? 'pass' : 'approved'}`;
}
