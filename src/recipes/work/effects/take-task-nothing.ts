import { admits, countTasks, type Hold, type Nothing, selectTask, standingOf } from '../../../plans/graph/select-task.ts';
import { NothingReason, type Plan, type TaskFilter } from '../../../journal/words/plan.ts';

interface Sight {
  readonly plan: Plan;
  readonly holds: ReadonlyMap<string, Hold>;
}

/** A prompt command has no work. It may say why in a line of JSON; else the plan tells, as far as it agrees. */
export function nothingByCommand(sight: Sight, filter: TaskFilter, stderr: string): Nothing {
  const { plan, holds } = sight;
  const selection = selectTask(plan, holds, filter);
  const nothing = selection.kind === 'nothing' ? selection : againstThePlan(sight, filter, selection.task.id);
  return { ...nothing, reason: reasonIn(stderr) ?? nothing.reason };
}

function againstThePlan({ plan, holds }: Sight, filter: TaskFilter, ready: string): Nothing {
  const admitted = plan.tasks.filter((task) => admits(task, filter));
  return {
    kind: 'nothing',
    reason: 'none-match',
    held: [...holds.values()].some(({ register, liveness }) => register?.state === 'held' && (liveness === 'alive' || liveness === 'unknown')),
    counts: countTasks(admitted, standingOf(plan, holds)),
    detail: `the prompt command has no work, although ${ready} is ready`,
  };
}

/** The last line that gives one: `{"reason": "all-complete"}`. */
function reasonIn(stderr: string): NothingReason | null {
  return stderr.split('\n').reduce<NothingReason | null>((found, line) => reasonOf(line) ?? found, null);
}

function reasonOf(line: string): NothingReason | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    return NothingReason.safeParse((JSON.parse(line) as { readonly reason?: unknown }).reason).data ?? null;
  } catch {
    return null;
  }
}
