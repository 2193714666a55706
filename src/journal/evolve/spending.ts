import type { AttemptEnded } from '../events/attempt.ts';
import type { Spending } from '../state/spending.ts';
import type { RunState } from '../state/state.ts';

/** Nothing that could have cost anything: no agent was started, or the provider refused its very first request for a limit. */
export function costsNothing({ verdict, ending, spent, tools }: AttemptEnded): boolean {
  return ending.kind === 'never-started' || (verdict === 'limited' && spent === null && tools === 0);
}

/** Of so many attempts it is remembered what each cost. */
const REMEMBERED = 100;

/** Adds what one attempt used. Every number is one the loop read itself; what an attempt cost that did not say is unknown, unless no agent was ever started. */
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
      untold: before.untold + Number(!isTold),
      tools: before.tools + tools,
      toolErrors: before.toolErrors + tool_errors,
    },
  };
}

function costOfWork({ costs, untoldWork }: Spending, cost: number | null, isTold: boolean): Pick<Spending, 'costs' | 'untoldWork'> {
  return { costs: cost === null ? costs : [...costs, cost].slice(-REMEMBERED), untoldWork: untoldWork + Number(!isTold) };
}
