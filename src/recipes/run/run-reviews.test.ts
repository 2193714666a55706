import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, claim, closed, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { run } from './run.ts';

const prompts = [
  { name: 'detailed', prompt: 'Look at every line.' },
  { name: 'security', prompt: 'Look for holes.' },
];
const settings = testSettings({ reviews: { after: 2, retryLimit: 1, prompts } });
const { gates } = settings;

const verdictOfGates = (iteration: number, attempt: number, code: number): EventBody =>
  judged(
    iteration,
    gates.map((gate) => [gate, code]),
    { attempt },
  );
const green = (iteration: number, attempt = 1) => verdictOfGates(iteration, attempt, 0);
const red = (iteration: number, attempt = 1) => verdictOfGates(iteration, attempt, 1);

const reviewBegun = (iteration: number, attempt: number): EventBody => {
  const begun = agentBegun(iteration, attempt);
  if (begun.type !== 'effect.begun' || begun.effect.kind !== 'run-agent') throw new Error('not an agent');
  return { ...begun, effect: { ...begun.effect, role: 'review', prompt: 'Look.', about: 'detailed' } };
};
const reviewed = (iteration: number, attempt: number, over: Parameters<typeof ended>[1] = {}): EventBody[] => [
  reviewBegun(iteration, attempt),
  ended(iteration, { attempt, role: 'review', ...over }),
];

const first = [opened(1), agentBegun(1), ended(1), gatesBegun(1, gates), green(1), closed(1, { result: 'green' })];
/** The second green iteration: the cycle is due. */
const due = [...first, opened(2), agentBegun(2), ended(2, { claim }), gatesBegun(2, gates), green(2)];

function stateAfter(bodies: readonly EventBody[]) {
  return given(runStarted(settings), ...bodies).reduce(evolve, emptyState);
}

function decided(bodies: readonly EventBody[]) {
  return decide(run, { state: stateAfter(bodies), settings, nowMs: 1_000 * (bodies.length + 2) });
}

describe('a review cycle', () => {
  it('is not due before enough iterations were green', () => {
    expect(decided(first.slice(0, -1))).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', result: 'green' } }]);
    const redOnes = [opened(2), agentBegun(2), ended(2), gatesBegun(2, gates), red(2)];
    expect(decided([...first, ...redOnes])).toMatchObject([{ kind: 'say', event: { result: 'red' } }]);
  });

  it('gives each prompt a fresh agent, each followed by the gates, in the same iteration', () => {
    expect(decided(due)).toMatchObject([
      { kind: 'do', effect: { kind: 'run-agent', key: 'agent:2.2', role: 'review', prompt: 'Look at every line.', about: 'detailed', failures: [] } },
    ]);
    const one = [...due, ...reviewed(2, 2)];
    expect(decided(one)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', key: 'gates:2.2', attempt: 2, phase: 'review_detailed' } }]);
    const two = [...one, green(2, 2)];
    expect(decided(two)).toMatchObject([{ kind: 'do', effect: { key: 'agent:2.3', about: 'security' } }]);
    const over = [...two, ...reviewed(2, 3), green(2, 3)];
    expect(decided(over)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', result: 'green', accepted: true, claim } }]);
  });

  it('repeats a review with what is red, up to its limit, and then moves on', () => {
    const once = [...due, ...reviewed(2, 2), red(2, 2)];
    expect(decided(once)).toMatchObject([
      { kind: 'do', effect: { about: 'detailed', failures: [{ action: 'APPEND', message: expect.stringContaining('exit code 1') }] } },
    ]);
    const again = [...once, ...reviewed(2, 3)];
    expect(decided(again)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', phase: 'review_detailed_1' } }]);
    expect(decided([...again, red(2, 3)])).toMatchObject([{ kind: 'do', effect: { about: 'security', failures: [{ action: 'APPEND' }] } }]);
  });

  it('that ends red makes the iteration red: its claim is not accepted, and the next prompt says why', () => {
    const spoilt = [...due, ...reviewed(2, 2), green(2, 2), ...reviewed(2, 3), red(2, 3), ...reviewed(2, 4), red(2, 4)];
    expect(decided(spoilt)).toMatchObject([{ kind: 'say', event: { result: 'red', accepted: false } }]);
    expect(decided([...spoilt, closed(2, { result: 'red', claim }), opened(3)])).toMatchObject([{ kind: 'do', effect: { failures: [{ action: 'APPEND' }] } }]);
  });

  it('does not end the run when its agent fails, whatever the reason', () => {
    const failed = [...due, ...reviewed(2, 2, { verdict: 'fatal', why: 'not logged in', exit_code_if_fatal: 4 })];
    expect(stateAfter(failed).fatal).toBeNull();
    expect(decided(failed)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
  });

  it('accepts no claim from a reviewer', () => {
    const unclaimed = [...first, opened(2), agentBegun(2), ended(2), gatesBegun(2, gates), green(2)];
    const over = [...unclaimed, ...reviewed(2, 2, { claim }), green(2, 2), ...reviewed(2, 3, { claim }), green(2, 3)];
    expect(decided(over)).toMatchObject([{ kind: 'say', event: { claim: null, accepted: false } }]);
  });

  it('waits for a usage limit and repeats the same review', () => {
    const limited = [...due, ...reviewed(2, 2, { verdict: 'limited', limit_resets_at: 1_000_000 })];
    expect(decided(limited)).toEqual([{ kind: 'wait', untilMs: 1_001_000 }]);
    const later = decide(run, { state: stateAfter(limited), settings, nowMs: 1_001_000 });
    expect(later).toMatchObject([{ kind: 'do', effect: { key: 'agent:2.3', about: 'detailed' } }]);
  });

  it('is judged as it is when a limit may not be waited for, and an earlier claim still counts', () => {
    const limited = [...due, ...reviewed(2, 2, { verdict: 'limited', limit_resets_at: 90_000_000 })];
    expect(decided(limited)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
    expect(decided([...limited, green(2, 2)])).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', accepted: true } }]);
  });

  it('starts no further review while the run stops, but judges the one that ran', () => {
    const drain: EventBody = { type: 'operator.asked', what: 'drain', by: 'SIGINT' };
    expect(decided([...due, drain])).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', accepted: true } }]);
    const amid = [...due, ...reviewed(2, 2), drain];
    expect(decided(amid)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
    expect(decided([...amid, green(2, 2)])).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', accepted: true } }]);
  });

  it('restarts the count, and is counted itself', () => {
    const over = [...due, ...reviewed(2, 2), green(2, 2), ...reviewed(2, 3), green(2, 3), closed(2, { result: 'green' })];
    expect(stateAfter(over).reviews).toEqual({ greenSince: 0, cycles: 1 });
    const next = [...over, opened(3), agentBegun(3), ended(3), gatesBegun(3, gates), green(3)];
    expect(decided(next)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', iteration: 3 } }]);
  });
});
