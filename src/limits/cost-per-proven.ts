import { costEach, totalCost } from '../journal/state/spending.ts';
import type { RunState } from '../journal/state/state.ts';
import { provenTasks } from '../journal/state/work-state.ts';
import { isDone } from '../journal/words/outcome.ts';
import { factsOf } from '../settings/schema/recipe-facts.ts';

/**
 * The cost of the run for each task or story that was proven, else for the proven run as a whole. Null: nothing is proven, or nobody told the cost. Summary,
 * status and report have it from here.
 */
export function costPerProven(state: RunState): number | null {
  return costEach(totalCost(state.spent)?.usd ?? null, provenCount(state));
}

/** A task without any check is done and not proven: its cost is part of what the others took. */
function provenCount({ run, tasks, stories, stopped }: RunState): number {
  if (factsOf(run?.settings).hasTasks) return provenTasks(tasks);
  // Every story that this run has finished and that something proves has a receipt.
  if (factsOf(run?.settings).hasStories) return stories.receipts?.count ?? 0;
  return stopped !== null && isDone(stopped) && !stopped.unproven ? 1 : 0;
}
