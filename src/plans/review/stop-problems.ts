import type { StoryPlan } from '../../journal/words/story.ts';
import { judgeForm } from './judge-form.ts';
import { type PlanForm, withPrefix } from './read-form.ts';
import { fewLines, type Turn } from './turn.ts';

/** What keeps an agent from stopping: everything that the loop would refuse, or would have to do itself. */
export function stopProblems(truth: StoryPlan, form: PlanForm, turn: Turn): readonly string[] {
  const { refused, forgotten } = judgeForm(truth, form, turn);
  return fewLines([...refused, ...forgotten].map(withPrefix));
}
