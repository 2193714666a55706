import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, ended, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { agentToAsk } from '../../limits/agents.ts';
import { costIsSpent, nearBudget } from '../../limits/money.ts';
import { budgetOf } from '../../settings/schema/recipe-facts.ts';
import type { EventBody } from '../events/journal-event.ts';
import { notesFor } from '../state/instructions.ts';
import { emptyState, type RunState } from '../state/state.ts';
import type { Instruction } from '../words/instruction.ts';
import { evolve } from './evolve.ts';

const told = (instruction: Instruction): EventBody => ({ type: 'operator.instructed', instruction, by: 'ann' });
const note = told({ kind: 'note', task: null, text: 'mind the tests' });
const stateAfter = (settings: Parameters<typeof testSettings>[0], ...bodies: readonly EventBody[]): RunState =>
  given(runStarted(testSettings(settings)), ...bodies).reduce(evolve, emptyState);

/** The request of an agent that is told all notes. */
function toldAgent(iteration: number, attempt = 1): EventBody {
  const begun = agentBegun(iteration, attempt);
  return begun.type === 'effect.begun' && begun.effect.kind === 'run-agent' ? { ...begun, effect: { ...begun.effect, notes: ['mind the tests'] } } : begun;
}

const spent = (cost_usd: number) => ({ input: 0, cache_read: 0, cache_write: 0, output: 0, cost_usd, estimated: false });

describe('a note of a person', () => {
  it('waits for the next prompt, and has then taken effect', () => {
    expect(notesFor(null, stateAfter({}, note, opened(1)))).toEqual(['mind the tests']);
    const state = stateAfter({}, note, opened(1), toldAgent(1));
    expect(notesFor(null, state)).toEqual([]);
    expect(state.instructions).toMatchObject([{ by: 'ann', appliedAtMs: expect.any(Number), told: 'agent:1.1' }]);
  });

  it('is told again when its agent met a usage limit or was lost, and else not', () => {
    const with1 = [note, opened(1), toldAgent(1)];
    expect(notesFor(null, stateAfter({}, ...with1, ended(1, { verdict: 'limited' })))).toEqual(['mind the tests']);
    expect(notesFor(null, stateAfter({}, ...with1, { type: 'effect.lost', key: 'agent:1.1' }))).toEqual(['mind the tests']);
    expect(notesFor(null, stateAfter({}, ...with1, ended(1, { verdict: 'failed' })))).toEqual([]);
  });

  it('about a task is not told to the agent of another', () => {
    const state = stateAfter({}, told({ kind: 'note', task: 'T-1', text: 'x' }));
    expect([notesFor('T-1', state), notesFor('T-2', state), notesFor(null, state)]).toEqual([['x'], [], []]);
  });
});

describe('a raised cost limit', () => {
  it('lets a run go on that had spent its budget, and warns again before the new one', () => {
    const settings = { budget: { costUsd: 1, timeMs: 0 } };
    const poor = stateAfter(settings, opened(1), agentBegun(1), ended(1, { spent: spent(0.9) }), {
      type: 'budget.neared',
      spent_usd: 0.9,
      limit_usd: 1,
      estimated: false,
    });
    const more = [told({ kind: 'budget', usd: 3 })];
    const rich = given(runStarted(testSettings(settings)), opened(1), agentBegun(1), ended(1, { spent: spent(1) }), ...more).reduce(evolve, emptyState);
    const view = (state: RunState) => ({ state, settings: state.run?.settings ?? testSettings() });

    expect(nearBudget(view(poor))).not.toBeNull();
    expect(budgetOf(view(rich).settings)).toEqual({ costUsd: 3, timeMs: 0 });
    expect([costIsSpent(view(rich)), nearBudget(view(rich)), rich.budgetNearMs]).toEqual([false, null, undefined]);
  });
});

describe('another agent', () => {
  it('is asked first from then on, if the run has it', () => {
    const agent = testSettings().agent;
    const settings = { agent: { ...agent, name: 'one' }, fallback: [{ ...agent, name: 'two' }] };
    const chosen = (name: string) => {
      const state = stateAfter(settings, told({ kind: 'again', task: null, text: null, agent: name }));
      return agentToAsk(undefined, { state, settings: state.run?.settings ?? testSettings(), nowMs: 0 })?.name;
    };
    expect([chosen('two'), chosen('three')]).toEqual(['two', 'one']);
  });
});
