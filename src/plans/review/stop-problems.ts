import type { StoryPlan } from '../../journal/words/story.ts';
import { judgeForm } from './judge-form.ts';
import { type PlanForm, withPrefix } from './read-form.ts';
import { fewLines, type Turn } from './turn.ts';

/** What keeps an agent from stopping: all that the loop would refuse, and all that it would have to do itself. */
export function stopProblems(truth: StoryPlan, form: PlanForm, turn: Turn): readonly string[] {
  const { refused, forgotten } = judgeForm(truth, form, turn);
  return fewLines([...refused, ...forgotten].map(withPrefix));
}
