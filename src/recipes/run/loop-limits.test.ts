import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { claim, decided, gates, spent, verdict, worked } from '../../../test/support/loop-decisions.ts';
import { loopSettings } from '../../../test/support/loop-spec.ts';
import { agentBegun, closed, ended, gatesBegun, opened } from '../../../test/support/run-events.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { Claim } from '../../journal/words/claim.ts';
import { run } from './run.ts';

describe('the last iteration of a loop', () => {
  const settings = loopSettings({}, { maximumIterations: 2 });
  const round = (iteration: number, code: number, said: Claim | null): EventBody[] => [
    opened(iteration),
    ...worked(iteration, { claim: said }),
    gatesBegun(iteration, gates),
    verdict(iteration, code),
    closed(iteration, { result: code === 0 ? 'green' : 'red', claim: said }),
  ];

  const redIn = (iterations: string) => gates.map(({ command }) => `${command} was red ${iterations}`).join(', ');

  it.each([
    ['no claim was made', [...round(1, 0, null), ...round(2, 0, null)], 'Maximum iterations reached without completion response.'],
    [
      'no claim was made and checks stayed red',
      [...round(1, 1, null), ...round(2, 1, null)],
      `Maximum iterations reached without completion response. ${redIn('in the last 2 iterations')}.`,
    ],
    [
      'a claim was made while checks were red',
      [...round(1, 1, claim), ...round(2, 1, claim)],
      `Maximum iterations reached: ${redIn('in the last 2 iterations')}.`,
    ],
    ['a claim was made and not accepted', [...round(1, 1, null), ...round(2, 0, claim)], 'Maximum iterations reached: the last claim was not accepted.'],
    [
      'only an earlier claim was made, while checks were red',
      [...round(1, 1, claim), ...round(2, 1, null)],
      `Maximum iterations reached: ${redIn('in the last 2 iterations')}.`,
    ],
    [
      'only an earlier claim was made, and the checks are green now',
      [...round(1, 1, claim), ...round(2, 0, null)],
      'Maximum iterations reached: the claim of iteration 1 was not accepted.',
    ],
    [
      'the agent only asked something',
      [...round(1, 0, { by: 'question', text: 'Which one?' }), ...round(2, 0, null)],
      'Maximum iterations reached without completion response.',
    ],
  ])('says what was missing when %s', (_name, events, message) => {
    expect(decided(events, settings)).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'max_iterations', message } }]);
  });

  it('remembers a claim of long ago', () => {
    const many = Array.from({ length: 14 }, (_, before) => round(before + 2, 0, null)).flat();
    expect(decided([...round(1, 1, claim), ...many], loopSettings({}, { maximumIterations: 15 }))).toMatchObject([
      { kind: 'stop', outcome: { message: 'Maximum iterations reached: the claim of iteration 1 was not accepted.' } },
    ]);
  });
});

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

  it('is told once when 80 % of it is spent, and not when all of it is', () => {
    expect(decided(failing(1, 0.07), settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
    const near: EventBody = { type: 'budget.neared', spent_usd: 0.08, limit_usd: 0.1, estimated: false };
    expect(decided(failing(1, 0.08), settings)).toContainEqual({ kind: 'say', event: near });
    expect(decided([...failing(1, 0.08), near], settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
    expect(decided(failing(1, 0.1), settings)).toMatchObject([{ kind: 'stop' }]);
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

  it('is never reached by attempts of which nobody knows a cost', () => {
    const unknown = [1, 2, 3, 4].flatMap((iteration) => failing(iteration, null));
    expect(decided(unknown, settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
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

  it.each([
    [
      'ends at once',
      5_000,
      900_000,
      { kind: 'stop', outcome: { stop_reason: 'rate_limited', message: expect.stringContaining('14m50s in all, 5s is allowed') } },
    ],
    ['goes on when what is left of the wait is allowed', 5_000, 14_000, { kind: 'say', event: { type: 'iteration.opened' } }],
  ])('a run that is resumed during a usage limit %s', (_what, limitWaitMs, resetsAtMs, decision) => {
    const own = { ...loopSettings({}), limits: { ...loopSettings({}).limits, limitWaitMs } };
    const resumed: EventBody = { type: 'run.resumed', ralph: '0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } };
    const limited = [opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: resetsAtMs }), closed(1, { result: 'abandoned' })];
    const state = given(runStarted(own), ...limited).reduce(evolve, emptyState);
    const later = evolve(state, { v: 1, seq: 6, at: 11_000, body: resumed });
    expect(decide(run, { state: later, settings: own, nowMs: 11_000 })).toMatchObject([decision]);
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
