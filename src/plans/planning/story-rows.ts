import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { saysAtCap } from '../review/turn.ts';

export type StoryStatus = 'open' | 'waits' | 'needs_review' | 'changes_requested' | 'approved' | 'approved_at_cap' | 'passes';

/** A story as a row of a table. */
export interface StoryRow {
  readonly id: string;
  readonly title: string;
  readonly status: StoryStatus;
  readonly reviews: number;
  readonly depends_on: readonly string[];
}

export function storyRows({ userStories }: StoryPlan): readonly StoryRow[] {
  const passing = new Set(userStories.filter(({ passes }) => passes).map(({ id }) => id));
  return userStories.map((story) => ({
    id: story.id,
    title: story.title,
    status: statusOf(story, passing),
    reviews: story.reviewCount,
    depends_on: story.dependsOn,
  }));
}

/** Finished stories: approved, or passing where there are no reviews. */
export function isDone({ status }: Pick<StoryRow, 'status'>): boolean {
  return status === 'approved' || status === 'approved_at_cap' || status === 'passes';
}

function statusOf(story: Story, passing: ReadonlySet<string>): StoryStatus {
  if (story.reviewStatus === 'approved') return saysAtCap(story.reviewFeedback) ? 'approved_at_cap' : 'approved';
  if (story.reviewStatus !== null) return story.reviewStatus;
  if (story.passes) return 'passes';
  return story.dependsOn.every((id) => passing.has(id)) ? 'open' : 'waits';
}
