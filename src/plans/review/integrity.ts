import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { storyName } from './story-name.ts';
import type { Rules } from './turn.ts';

/** What can never be true of a story at rest, whoever wrote it (check 2). */
export function integrityProblems(plan: StoryPlan, { cap, skipReview }: Rules): readonly string[] {
  if (skipReview) return [];
  return plan.userStories.flatMap((story) => [...outOfSync(story), ...noFeedback(story), ...beyondCap(story, cap)]);
}

export function outOfSync({ id, passes, reviewStatus }: Story): readonly string[] {
  const name = storyName(id);
  if (passes && reviewStatus !== 'approved') {
    return [
      `Story ${name} has passes=true but reviewStatus is '${reviewStatus}', not 'approved'. Only review iterations may approve stories. Set passes back to false or complete the review cycle.`,
    ];
  }
  if (!passes && reviewStatus === 'approved') {
    return [`Story ${name} has reviewStatus 'approved' but passes=false: they are out of sync. Set passes=true with the approval, or take the approval back.`];
  }
  return [];
}

export function noFeedback({ id, reviewStatus, reviewFeedback }: Story): readonly string[] {
  if (reviewStatus !== 'changes_requested' || reviewFeedback.trim() !== '') return [];
  return [
    `Story ${storyName(id)} has reviewStatus 'changes_requested' but empty reviewFeedback: feedback required. Write into reviewFeedback what must be fixed, and where.`,
  ];
}

function beyondCap({ id, reviewCount }: Story, cap: number): readonly string[] {
  if (reviewCount <= cap + 1) return [];
  return [`Story ${storyName(id)} has reviewCount ${reviewCount}, more than the review cap of ${cap} allows. Put it back to the number of its reviews.`];
}
