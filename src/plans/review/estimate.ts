import type { StoryPlan } from '../../journal/words/story.ts';
import { isDone } from './next-turn.ts';
import type { Rules } from './turn.ts';

export interface BudgetEstimate {
  readonly open: number;
  readonly each: number;
  readonly total: number;
  readonly text: string;
}

/** How many iterations the open stories will about take. */
export function budgetEstimate(plan: StoryPlan, rules: Rules): BudgetEstimate {
  const open = plan.userStories.filter((story) => !isDone(story, rules.skipReview)).length;
  const each = iterationsEach(rules);
  const total = open * each;
  return { open, each, total, text: `${counted(open, 'story', 'stories')} × ~${iterations(each)} each = ~${iterations(total)} needed` };
}

/** One to implement it and one to review it; where that review is not the last, one more, since some come back. */
function iterationsEach({ skipReview, cap }: Rules): number {
  if (skipReview) return 1;
  return cap === 1 ? 2 : 3;
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const iterations = (count: number) => counted(count, 'iteration', 'iterations');
