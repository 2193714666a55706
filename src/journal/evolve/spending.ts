import type { AttemptEnded } from '../events/attempt.ts';
import type { Spending } from '../state/spending.ts';
import type { RunState } from '../state/state.ts';

/** Whether the attempt was certainly free: no agent was started, or the provider refused its very first request because of a limit. */
export function costsNothing({ verdict, ending, spent, tools }: AttemptEnded): boolean {
  return ending.kind === 'never-started' || (verdict === 'limited' && spent === null && tools === 0);
}

/** The number of attempts whose cost is remembered. */
const MOST_REMEMBERED = 100;

/** Adds the usage of one attempt. The loop read every number itself. If an attempt reported no cost, the cost is unknown, unless no agent was started. */
export function addSpending(state: RunState, ended: AttemptEnded): RunState {
  const { role, spent, tools, tool_errors } = ended;
  const before = state.spent;
  const cost = spent?.cost_usd ?? null;
  const isTold = cost !== null || costsNothing(ended);
  return {
    ...state,
    spent: {
      ...before,
      attempts: before.attempts + 1,
      input: before.input + (spent?.input ?? 0),
      cacheRead: before.cacheRead + (spent?.cache_read ?? 0),
      cacheWrite: before.cacheWrite + (spent?.cache_write ?? 0),
      output: before.output + (spent?.output ?? 0),
      costUsd: before.costUsd + (cost ?? 0),
      estimated: before.estimated || spent?.estimated === true,
      ...(role !== 'message' && costOfWork(before, cost, isTold)),
      unknownCosts: before.unknownCosts + Number(!isTold),
      tools: before.tools + tools,
      toolErrors: before.toolErrors + tool_errors,
    },
  };
}

function costOfWork({ costs, unknownWorkCosts }: Spending, cost: number | null, isTold: boolean): Pick<Spending, 'costs' | 'unknownWorkCosts'> {
  return { costs: cost === null ? costs : [...costs, cost].slice(-MOST_REMEMBERED), unknownWorkCosts: unknownWorkCosts + Number(!isTold) };
}
