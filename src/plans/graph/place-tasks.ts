import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { layersOf } from './layers.ts';

export interface Place {
  readonly task: PlanTask;
  readonly column: number;
  readonly row: number;
}

/** Where each task stands in a picture: a column for each layer, and in it near the rows of what it needs. What is in a circle comes last. */
export function placeTasks(plan: Plan): ReadonlyMap<string, Place> {
  const { layers, inACircle } = layersOf(plan);
  const places = new Map<string, Place>();
  const columns = inACircle.length === 0 ? layers : [...layers, inACircle];
  for (const [column, tasks] of columns.entries()) {
    const wanted = tasks.map((task, index) => ({ task, row: rowOfNeeds(task, places) ?? index }));
    for (const [row, { task }] of wanted.sort((a, b) => a.row - b.row).entries()) places.set(task.id, { task, column, row });
  }
  return places;
}

function rowOfNeeds(task: PlanTask, places: ReadonlyMap<string, Place>): number | null {
  const rows = task.needs.flatMap((need) => places.get(need)?.row ?? []);
  return rows.length === 0 ? null : rows.reduce((sum, row) => sum + row, 0) / rows.length;
}
