import type { StoryMove, StoryPlan } from '../../journal/words/story.ts';
import { judgeForm } from './judge-form.ts';
import { planChanges } from './plan-changes.ts';
import type { PlanForm } from './read-form.ts';
import { fewLines, type Turn } from './turn.ts';

export type { PlanForm } from './read-form.ts';

export interface SettledStories {
  /** What the loop knows, with what the agent may add and say anew. No story has moved. */
  readonly plan: StoryPlan;
  /** What the agent says of the one story; null: nothing that counts. */
  readonly move: StoryMove | null;
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

/** What is taken over of the form an agent left, field by field: the work is kept, what it may not do is not. */
export function settleStories(truth: StoryPlan, form: PlanForm, turn: Turn): SettledStories {
  const { plan, move, refused } = judgeForm(truth, form, turn);
  return { plan, move, accepted: fewLines(planChanges(truth, plan)), refused: fewLines(refused.map(({ text }) => text)) };
}
