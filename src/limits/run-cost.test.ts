import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../test/support/given.ts';
import { agentBegun, ended, opened } from '../../test/support/run-events.ts';
import { workSettings } from '../../test/support/work-spec.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { totalCost } from '../journal/state/spending.ts';
import { emptyState } from '../journal/state/state.ts';
import { costIsSpent, costShareUsd } from './money.ts';

const settings = workSettings({ budget: { costUsd: 8, timeMs: 0 } }, { lanes: 4 });
const view = (...bodies: readonly EventBody[]) => ({ state: given(runStarted(settings), ...bodies).reduce(evolve, emptyState), settings });
const begun = (iteration: number, budget: number): EventBody => {
  const event = agentBegun(iteration);
  return event.type === 'effect.begun' && event.effect.kind === 'run-agent' ? { ...event, effect: { ...event.effect, budget_usd: budget } } : event;
};
const spent = (cost_usd: number) => ({ spent: { input: 1, cache_read: 0, cache_write: 0, output: 1, cost_usd, estimated: false } });

describe('the budget of several workers', () => {
  it('is shared, so that all workers together cannot exceed it', () => {
    expect(costShareUsd(view())).toBe(2);
    expect(costShareUsd(view(opened(1), begun(1, 2)))).toBe(2);
    expect(costShareUsd(view(opened(1), begun(1, 2), opened(2, 2), begun(2, 2), opened(3, 3), begun(3, 2)))).toBe(2);
  });

  it('returns what one worker did not spend to the others', () => {
    expect(costShareUsd(view(opened(1), begun(1, 2), ended(1, spent(1))))).toBe(7 / 4);
  });

  it('is never handed out twice', () => {
    expect(costShareUsd(view(opened(1), begun(1, 2), opened(2, 2), begun(2, 6)))).toBe(0);
  });

  it('is spent once nothing is left', () => {
    expect(costIsSpent(view(opened(1), begun(1, 2), ended(1, spent(7.99))))).toBe(false);
    expect(costIsSpent(view(opened(1), begun(1, 2), ended(1, spent(8))))).toBe(true);
  });

  it('is spent by commit messages too, and one of unknown cost counts as much as the cheapest work', () => {
    const work = [opened(1), ended(1, spent(3.5)), ended(1, spent(0)), ended(1, spent(4))];
    const message = (more: object) => ended(1, { role: 'message', ...more });
    expect(costIsSpent(view(...work, message(spent(0.25))))).toBe(false);
    expect(costIsSpent(view(...work, message(spent(0.5))))).toBe(true);
    const untold = { input: 0, cache_read: 0, cache_write: 0, output: 0, cost_usd: null, estimated: false };
    expect(totalCost(view(...work, message({ spent: untold })).state.spent)).toEqual({ usd: 11, isEstimated: true });
  });

  it('is not spent by commit messages of an older journal, which never told a cost', () => {
    const { state } = view(opened(1), ended(1, spent(4)), ended(1, { role: 'message', spent: null }), ended(1, { role: 'message', spent: null }));
    expect(totalCost(state.spent)).toEqual({ usd: 4, isEstimated: false });
    expect(state.spent.unknownCosts).toBe(2);
  });

  it('counts work of unknown cost as much as expensive work, whatever a message cost', () => {
    const { state } = view(opened(1), ended(1, spent(1)), ended(1, { role: 'message', ...spent(9) }), ended(1, { spent: null }));
    expect(totalCost(state.spent)).toEqual({ usd: 11, isEstimated: true });
  });
});
