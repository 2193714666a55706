import type { StoryMove, StoryPlan } from '../../journal/words/story.ts';
import { judgeForm } from './judge-form.ts';
import { planChanges } from './plan-changes.ts';
import type { PlanForm } from './read-form.ts';
import { fewLines, type Turn } from './turn.ts';

export type { PlanForm } from './read-form.ts';

export interface SettledStories {
  /** What the loop knows, with the agent's accepted additions and rewordings. No story has moved. */
  readonly plan: StoryPlan;
  /** What the agent reports about its story; null: nothing that counts. */
  readonly move: StoryMove | null;
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

/** Settles the form that an agent left, field by field: allowed edits are kept, others are reverted. */
export function settleStories(truth: StoryPlan, form: PlanForm, turn: Turn): SettledStories {
  const { plan, move, refused } = judgeForm(truth, form, turn);
  return { plan, move, accepted: fewLines(planChanges(truth, plan)), refused: fewLines(refused.map(({ text }) => text)) };
}
