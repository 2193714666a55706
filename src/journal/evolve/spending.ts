import type { AttemptEnded } from '../events/attempt.ts';
import type { ReceiptWritten } from '../events/gates.ts';
import type { Spending } from '../state/spending.ts';
import type { OpenIteration, RunState, Tally } from '../state/state.ts';
import type { TaskReceipts, TriedTask, WorkState } from '../state/work-state.ts';

/** Whether the attempt was certainly free: no agent was started, or the provider refused its very first request because of a limit. */
export function costsNothing({ verdict, ending, spent, tools }: Pick<AttemptEnded, 'verdict' | 'ending' | 'spent' | 'tools'>): boolean {
  return ending.kind === 'never-started' || (verdict === 'limited' && spent === null && tools === 0);
}

/** The number of attempts whose cost is remembered. */
const MOST_REMEMBERED = 100;

export function addSpending(state: RunState, ended: AttemptEnded): RunState {
  return { ...state, spent: spentWith(state.spent, ended) };
}

/** Adds the usage of one attempt. The loop read every number itself. If an attempt reported no cost, the cost is unknown, unless no agent was started. */
export function spentWith(before: Spending, ended: AttemptEnded): Spending {
  // No agent was asked, so it is no attempt to anybody who counts them.
  if (ended.limit_known) return before;
  const { role, spent, tools, tool_errors } = ended;
  const cost = spent?.cost_usd ?? null;
  const isTold = cost !== null || costsNothing(ended);
  return {
    ...before,
    attempts: before.attempts + 1,
    input: before.input + (spent?.input ?? 0),
    cacheRead: before.cacheRead + (spent?.cache_read ?? 0),
    cacheWrite: before.cacheWrite + (spent?.cache_write ?? 0),
    output: before.output + (spent?.output ?? 0),
    costUsd: before.costUsd + (cost ?? 0),
    estimated: before.estimated || spent?.estimated === true,
    // A message costs less than work: it must not lower what an attempt of unknown cost counts.
    ...(role !== 'message' && costOfWork(before, cost, isTold)),
    ...(role === 'message' && !isTold && spent !== null && { unknownMessageCosts: (before.unknownMessageCosts ?? 0) + 1 }),
    unknownCosts: before.unknownCosts + Number(!isTold),
    tools: before.tools + tools,
    toolErrors: before.toolErrors + tool_errors,
  };
}

function costOfWork({ costs, unknownWorkCosts }: Spending, cost: number | null, isTold: boolean): Pick<Spending, 'costs' | 'unknownWorkCosts'> {
  return { costs: cost === null ? costs : costs.slice(1 - MOST_REMEMBERED).concat(cost), unknownWorkCosts: unknownWorkCosts + Number(!isTold) };
}

export function receiptsAfter(before: TaskReceipts | undefined, { file, why_unsigned }: ReceiptWritten): TaskReceipts {
  return { count: (before?.count ?? 0) + 1, folder: file.slice(0, file.lastIndexOf('/')), unsigned: why_unsigned ?? null };
}

/** Adds the cost of this try; dropped once the task is done. */
export function triedAfter(tried: readonly TriedTask[], task: string, { tally }: OpenIteration, isDone: boolean): Pick<WorkState, 'tried'> {
  const others = tried.filter((each) => each.task !== task);
  if (isDone) return others.length === tried.length ? {} : { tried: others };
  return { tried: [...others, { task, ...spentOnTask(tried, task, tally) }] };
}

/** The iterations and cost of all tries of a task, including this one. */
export function spentOnTask(tried: readonly TriedTask[], task: string, { costUsd }: Tally): Omit<TriedTask, 'task'> {
  const before = tried.find((each) => each.task === task) ?? { iterations: 0, costUsd: 0 };
  return { iterations: before.iterations + 1, costUsd: before.costUsd === null || costUsd === null ? null : before.costUsd + costUsd };
}
