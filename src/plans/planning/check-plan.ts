import { integrityProblems } from '../review/integrity.ts';
import type { Rules } from '../review/turn.ts';
import type { Standpoint } from '../tasks/work-tree.ts';
import { findStories } from './find-stories.ts';
import { planWarnings } from './plan-warnings.ts';

export interface CheckedPlan {
  readonly path: string;
  readonly stories: number;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Everything that is wrong with a list of stories, by the same rules as in the loop. Looks only. */
export async function checkPlan(wanted: string | null, rules: Rules, standpoint: Standpoint): Promise<CheckedPlan> {
  const { path, plan, problems } = await findStories(wanted, standpoint);
  if (plan === null) return { path, stories: 0, problems, warnings: [] };
  return { path, stories: plan.userStories.length, problems: integrityProblems(plan, rules), warnings: planWarnings(plan) };
}
