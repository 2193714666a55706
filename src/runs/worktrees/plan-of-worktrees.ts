import { join } from 'node:path';
import { openPlanStore } from '../../plans/open-plan-store.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Plan } from '../../journal/words/plan.ts';
import { findPlan } from '../../plans/find/find-plan.ts';
import { type PlanHome, readPlanHome } from '../../plans/tasks/plan-home.ts';

interface Repository {
  readonly topLevel: string;
  readonly commonDir: string;
}

/** The plan that the last crew of a repository worked on, else the only one there is. Null: there is none that could be read, and nobody needs one here. */
export async function planOf({ topLevel, commonDir }: Repository): Promise<{ readonly plan: Plan; readonly path: string } | null> {
  const found = readPlanHome(commonDir) ?? (await theOnlyPlan(topLevel));
  if (found === null) return null;
  const store = openPlanStore({ ...found.plan, top: found.home, cacheFolder: join(commonDir, 'ralph', 'cache') });
  const plan = (await store.read())?.plan ?? null;
  return plan === null ? null : { plan, path: found.plan.path };
}

async function theOnlyPlan(top: string): Promise<PlanHome | null> {
  try {
    return { plan: await findPlan(top, null), home: top };
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
}
