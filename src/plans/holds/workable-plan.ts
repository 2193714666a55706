import type { Plan, PlanProblem } from '../../journal/words/plan.ts';
import type { PlanStore } from '../../engine/ports/plan-store.ts';

export type PlanSight = { readonly kind: 'plan'; readonly plan: Plan } | { readonly kind: 'trouble'; readonly why: string };

/** A plan that can be worked on, or the first thing that is wrong with it: somebody may be in the middle of an edit. */
export async function readWorkablePlan(store: PlanStore, planPath: string): Promise<PlanSight> {
  const reading = await store.read();
  if (reading === null) return { kind: 'trouble', why: `${planPath} is not there` };
  const { plan, problems } = reading;
  if (plan !== null && problems.length === 0) return { kind: 'plan', plan };
  return { kind: 'trouble', why: whyNot(problems) ?? `${planPath} cannot be read` };
}

function whyNot([first, ...others]: readonly PlanProblem[]): string | null {
  if (first === undefined) return null;
  const place = first.line === null ? first.file : `${first.file}:${first.line}`;
  return `${place}: ${first.message}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}
