import type { AttemptEnded } from '../events/attempt.ts';
import type { RunState } from '../state/state.ts';

/** Nothing that could have cost anything: no agent was started, or the provider refused its very first request for a limit. */
export function costsNothing({ verdict, ending, spent, tools }: AttemptEnded): boolean {
  return ending.kind === 'never-started' || (verdict === 'limited' && spent === null && tools === 0);
}

/** Adds what one attempt used. Every number is one the loop read itself; an attempt that did not say makes the cost unknown, unless no agent was ever started. */
export function addSpending(state: RunState, ended: AttemptEnded): RunState {
  const { role, spent, tools, tool_errors } = ended;
  const before = state.spent;
  const told = spent?.cost_usd != null || costsNothing(ended);
  return {
    ...state,
    spent: {
      attempts: before.attempts + 1,
      input: before.input + (spent?.input ?? 0),
      cacheRead: before.cacheRead + (spent?.cache_read ?? 0),
      cacheWrite: before.cacheWrite + (spent?.cache_write ?? 0),
      output: before.output + (spent?.output ?? 0),
      costUsd: before.costUsd + (spent?.cost_usd ?? 0),
      costKnown: before.costKnown && (told || role === 'message'),
      estimated: before.estimated || spent?.estimated === true,
      untold: before.untold + (told ? 0 : 1),
      tools: before.tools + tools,
      toolErrors: before.toolErrors + tool_errors,
    },
  };
}
