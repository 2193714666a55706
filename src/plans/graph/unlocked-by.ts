import type { Plan } from '../../journal/words/plan.ts';
import type { Standing } from './standing.ts';

/** The tasks that waited for this one and for nothing else, in the order of the plan. How it stands itself does not matter. */
export function unlockedBy(plan: Plan, standings: ReadonlyMap<string, Standing>, id: string): readonly string[] {
  const hasAllElse = (needs: readonly string[]) => needs.every((need) => need === id || standings.get(need) === 'complete');
  const isFree = (standing: Standing | undefined) => standing === 'waiting' || standing === 'ready';
  return plan.tasks.filter((task) => task.needs.includes(id) && isFree(standings.get(task.id)) && hasAllElse(task.needs)).map((task) => task.id);
}
