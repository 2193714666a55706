import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { claim, decided, gates, spent, verdict, worked } from '../../../test/support/loop-decisions.ts';
import { loopSettings } from '../../../test/support/loop-spec.ts';
import { agentBegun, closed, ended, gatesBegun, opened } from '../../../test/support/run-events.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { run } from './run.ts';

describe('the budget of a loop', () => {
  const settings = loopSettings({ budget: { costUsd: 0.1, timeMs: 0 } });
  const failing = (iteration: number, cost: number | null): EventBody[] => [
    opened(iteration),
    ...worked(iteration, { spent: spent(cost) }),
    gatesBegun(iteration, gates),
    verdict(iteration, 1),
    closed(iteration, { result: 'red' }),
  ];

  it('counts iterations: two at 0.05 use up a limit of 0.10', () => {
    expect(decided(failing(1, 0.05), settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 2 } }]);
    expect(decided([...failing(1, 0.05), ...failing(2, 0.05)], settings)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'budget_exhausted', exit_code: 1 } },
    ]);
  });

  it('tells each agent what is left', () => {
    expect(decided([...failing(1, 0.04), opened(2)], settings)).toMatchObject([{ kind: 'do', effect: { budget_usd: expect.closeTo(0.06) } }]);
  });

  it('continues after an attempt without a reported cost, and counts it like an expensive one once others reported theirs', () => {
    expect(decided(failing(1, null), settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
    expect(decided([...failing(1, null), ...failing(2, 0.06)], settings)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'budget_exhausted', message: 'Cost limit of $0.10 reached: $0.1200 spent, partly estimated' } },
    ]);
  });

  it('counts as spent after three attempts without a reported cost', () => {
    expect(decided([...failing(1, null), ...failing(2, null), ...failing(3, null)], settings)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'budget_exhausted', message: 'None of 3 attempts said what it cost, so the limit of $0.10 cannot be kept' } },
    ]);
  });

  it.each([0, 1])('is not used by a usage limit that was met after %i tool calls', (tools) => {
    const limited = [opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 64_000, tools })];
    expect(decided(limited, settings)).toEqual([{ kind: 'wait', untilMs: 65_000 }]);
  });

  it('does not undo the good end that it paid for', () => {
    const good = [opened(1), ...worked(1, { claim, spent: spent(5) }), gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(good, settings)).toMatchObject([{ kind: 'say', event: { accepted: true } }]);
  });

  it('starts no further attempt once it is spent, and abandons the iteration', () => {
    const empty = [opened(1), agentBegun(1), ended(1, { verdict: 'empty', spent: spent(0.2) })];
    expect(decided(empty, settings)).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
  });
});

describe('the time limit of a loop', () => {
  const settings = loopSettings({ budget: { costUsd: null, timeMs: 60_000 } });

  it('is passed on to effects, and ends waits', () => {
    expect(decided([opened(1)], settings)).toMatchObject([{ kind: 'do', effect: { until: 61_000 } }]);
    const limited = [opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 900_000 })];
    expect(decided(limited, settings)).toEqual([{ kind: 'wait', untilMs: 61_000 }]);
    expect(decided(limited, settings, 61_000)).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
  });

  it("keeps and judges what an agent left when it was cut off, within the checks' own time", () => {
    const cut = [opened(1), ...worked(1, { verdict: 'failed', why: 'the agent was stopped' })];
    expect(decided(cut, settings, 61_000)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', until: null } }]);
    const green = [...cut, gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(green, settings, 62_000)).toMatchObject([{ kind: 'say', event: { result: 'failed', accepted: false } }]);
    expect(decided([...green, closed(1, { result: 'failed' })], settings, 62_000)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'timeout', exit_code: 1 } },
    ]);
  });

  it('ends checks that exceed it', () => {
    expect(decided([opened(1), ...worked(1)], settings)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', until: 61_000 } }]);
  });

  it('does not count time between a stop and a resume', () => {
    const resumed: EventBody = { type: 'run.resumed', ralph: '0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } };
    const state = given(runStarted(settings), opened(1), closed(1)).reduce(evolve, emptyState);
    const later = evolve(state, { v: 1, seq: 4, at: 1_000_000, body: resumed });
    expect(decide(run, { state: later, settings, nowMs: 1_000_000 })).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
    expect(decide(run, { state: later, settings, nowMs: 1_058_000 })).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'timeout' } }]);
  });

  it('counts the time of an agent whose loop was killed', () => {
    const resumed: EventBody = { type: 'run.resumed', ralph: '0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' }, worked_until: 51_000 };
    const state = given(runStarted(settings), opened(1), agentBegun(1)).reduce(evolve, emptyState);
    const later = evolve(state, { v: 1, seq: 4, at: 1_000_000, body: resumed });
    const lost = evolve(later, { v: 1, seq: 5, at: 1_000_000, body: { type: 'effect.lost', key: 'agent:1.1' } });
    expect(decide(run, { state: lost, settings, nowMs: 1_000_000 })).toMatchObject([{ kind: 'do', effect: { until: 1_010_000 } }]);
  });
});
