import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, claim, closed, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { run } from './run.ts';

const settings = testSettings();
const gates = settings.gates;
const green = (iteration: number, tree: string | null = null) =>
  judged(
    iteration,
    gates.map((gate) => [gate, 0]),
    { tree, tree_after: tree },
  );
const red = (iteration: number, trees = { tree: null as string | null, tree_after: null as string | null }) =>
  judged(
    iteration,
    gates.map((gate) => [gate, 2]),
    trees,
  );

/** What the recipe decides after these events, one second after the last. */
function decided(bodies: readonly EventBody[], chosen: RunSettings = settings, found: { tree: string } | null = null) {
  const started = { ...runStarted(chosen), found: found && { head: null, tree: found.tree, problem: null, dirty: [], dirty_count: 0 } };
  const events = given(started, ...bodies);
  return decide(run, { state: events.reduce(evolve, emptyState), settings: chosen, nowMs: 1_000 * (events.length + 1) });
}

describe('the recipe run', () => {
  it('opens the first iteration, runs the agent, judges it, and closes', () => {
    expect(decided([])).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 1 } }]);
    expect(decided([opened(1)])).toMatchObject([{ kind: 'do', effect: { kind: 'run-agent', key: 'agent:1.1', failures: [] } }]);
    expect(decided([opened(1), agentBegun(1)])).toEqual([]);
    expect(decided([opened(1), agentBegun(1), ended(1)])).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', gates: settings.gates } }]);
    expect(decided([opened(1), agentBegun(1), ended(1), gatesBegun(1, gates), green(1)])).toMatchObject([
      { kind: 'say', event: { type: 'iteration.closed', result: 'green' } },
    ]);
  });

  it('does not accept a claim while a gate is red, and tells the next prompt why', () => {
    const refused = [opened(1), agentBegun(1), ended(1, { claim }), gatesBegun(1, gates), red(1)];
    expect(decided(refused)).toMatchObject([{ kind: 'say', event: { result: 'red', claim, accepted: false } }]);
    const next = decided([...refused, closed(1, { result: 'red' }), opened(2)]);
    expect(next).toMatchObject([
      { kind: 'do', effect: { kind: 'run-agent', failures: [{ action: 'APPEND', message: expect.stringContaining('failed with exit code 2') }] } },
    ]);
  });

  it('clears the failures after a green iteration', () => {
    const redThenGreen = [
      opened(1),
      agentBegun(1),
      ended(1),
      gatesBegun(1, gates),
      red(1),
      closed(1, { result: 'red' }),
      opened(2),
      agentBegun(2),
      ended(2),
      gatesBegun(2, gates),
      green(2),
    ];
    expect(decided([...redThenGreen, closed(2, { result: 'green' }), opened(3)])).toMatchObject([{ kind: 'do', effect: { failures: [] } }]);
  });

  it('accepts a claim with green gates, also in the last allowed iteration', () => {
    const one = testSettings({ maximumIterations: 1 });
    const good = [opened(1), agentBegun(1), ended(1, { claim }), gatesBegun(1, gates), green(1)];
    expect(decided(good, one)).toMatchObject([{ kind: 'say', event: { result: 'green', accepted: true } }]);
    const accepted: EventBody = { type: 'iteration.closed', iteration: 1, result: 'green', claim, accepted: true, zero_work: false };
    expect(decided([...good, accepted], one)).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'completed', exit_code: 0, unproven: false } }]);
  });

  it('marks a claim without any gate as unproven', () => {
    const accepted: EventBody = { type: 'iteration.closed', iteration: 1, result: 'green', claim, accepted: true, zero_work: false };
    expect(decided([opened(1), accepted], testSettings({ gates: [] }))).toMatchObject([{ kind: 'stop', outcome: { unproven: true } }]);
  });

  it('notices that nothing changed since the start, and refuses such a claim only if a change is required', () => {
    const same = [opened(1), agentBegun(1), ended(1, { claim }), gatesBegun(1, gates), green(1, 'tree-1')];
    expect(decided(same, settings, { tree: 'tree-1' })).toMatchObject([{ kind: 'say', event: { accepted: true, zero_work: true } }]);
    expect(decided(same, settings, { tree: 'tree-0' })).toMatchObject([{ kind: 'say', event: { accepted: true, zero_work: false } }]);
    expect(decided(same, testSettings({ requireChange: true }), { tree: 'tree-1' })).toMatchObject([
      { kind: 'say', event: { accepted: false, result: 'red' } },
    ]);
  });

  it("does not count files left by gates as the agent's changes, iterations later", () => {
    const littered = [
      opened(1),
      agentBegun(1),
      ended(1),
      gatesBegun(1, gates),
      red(1, { tree: 'tree-0', tree_after: 'tree-0-and-report' }),
      closed(1, { result: 'red' }),
    ];
    const again = [...littered, opened(2), agentBegun(2), ended(2, { claim }), gatesBegun(2, gates), green(2, 'tree-0-and-report')];
    expect(decided(again, testSettings({ requireChange: true }), { tree: 'tree-0' })).toMatchObject([
      { kind: 'say', event: { accepted: false, zero_work: true } },
    ]);
    const worked = [...littered, opened(2), agentBegun(2), ended(2, { claim }), gatesBegun(2, gates), green(2, 'tree-1-and-report')];
    expect(decided(worked, testSettings({ requireChange: true }), { tree: 'tree-0' })).toMatchObject([
      { kind: 'say', event: { accepted: true, zero_work: false } },
    ]);
  });

  it('refuses a claim when a change is required and cannot be seen', () => {
    const blind = [opened(1), agentBegun(1), ended(1, { claim }), gatesBegun(1, gates), green(1)];
    expect(decided(blind, testSettings({ requireChange: true }), { tree: 'tree-0' })).toMatchObject([{ kind: 'say', event: { accepted: false } }]);
  });

  it('does not blame the agent for gates that were cut off', () => {
    const cut = red(1);
    if (cut.type !== 'gates.judged') throw new Error('not a fact of gates');
    const results = cut.results.map((result) => ({
      ...result,
      ending: { kind: 'stopped', cause: 'cancelled', detail: 'x', code: null, signal: 'SIGTERM' } as const,
    }));
    const abort: EventBody = { type: 'operator.asked', what: 'abort', by: 'SIGINT' };
    const events = [opened(1), agentBegun(1), ended(1, { claim }), gatesBegun(1, gates), abort, { ...cut, results }];
    expect(decided(events)).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
  });

  it('does not count an iteration that it abandoned itself', () => {
    const one = testSettings({ maximumIterations: 1 });
    const drain: EventBody = { type: 'operator.asked', what: 'drain', by: 'SIGINT' };
    const resumed: EventBody = { type: 'run.resumed', ralph: '0.0.0', writer: { host: 'h', boot_id: 'b', pid: 2, start_time: '2' } };
    const left = [opened(1), agentBegun(1), drain, ended(1, { verdict: 'failed' }), closed(1, { result: 'abandoned' }), resumed];
    expect(decided(left, one)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 2 } }]);
    expect(decided([...left, opened(2)], one)).toMatchObject([{ kind: 'do', effect: { maximum: 2 } }]);
  });

  it('does not wait for a limit of one worker when another worker has finished the task', () => {
    const two = testSettings({ lanes: 2 });
    const second: EventBody = { type: 'iteration.opened', iteration: 2, lane: 2 };
    const accepted: EventBody = { type: 'iteration.closed', iteration: 2, result: 'green', claim, accepted: true, zero_work: false };
    const limited = [opened(1), second, agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 9_000_000 }), accepted];
    expect(decided(limited, two)).toMatchObject([{ kind: 'say', event: { iteration: 1, result: 'abandoned' } }]);
  });

  it('derives no exit code from an unknown signal name', () => {
    const odd: EventBody = { type: 'operator.asked', what: 'drain', by: 'constructor' };
    expect(decided([odd])).toMatchObject([{ kind: 'stop', outcome: { exit_code: 130 } }]);
  });

  it('never accepts the claim of an attempt that failed', () => {
    const crashed = [opened(1), agentBegun(1), ended(1, { verdict: 'failed', claim }), gatesBegun(1, gates), green(1)];
    expect(decided(crashed)).toMatchObject([{ kind: 'say', event: { result: 'failed', accepted: false } }]);
  });

  it('waits for a usage limit until its reset, then retries in the same iteration', () => {
    const limited = [opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 64_000 })];
    expect(decided(limited)).toEqual([{ kind: 'wait', untilMs: 65_000 }]);
    const events = given(runStarted(settings), ...limited);
    const later = decide(run, { state: events.reduce(evolve, emptyState), settings, nowMs: 65_000 });
    expect(later).toMatchObject([{ kind: 'do', effect: { key: 'agent:1.2', iteration: 1 } }]);
  });

  it('does not wait for a limit that exceeds the allowed wait', () => {
    const patient = testSettings({ limits: { ...settings.limits, limitWaitMs: 30_000 } });
    const limited = [opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 3_600_000 })];
    expect(decided(limited, patient)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', result: 'abandoned' } }]);
    expect(decided([...limited, closed(1, { result: 'abandoned' })], patient)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'rate_limited', exit_code: 1 } },
    ]);
  });

  it.each(['empty', 'lost'] as const)('gives an iteration three attempts that are %s, then calls it failed', (verdict) => {
    const tries = [1, 2, 3].map((attempt) => [agentBegun(1, attempt), ended(1, { attempt, verdict })]);
    expect(decided([opened(1), ...tries.slice(0, 2).flat()])).toMatchObject([{ kind: 'do', effect: { key: 'agent:1.3' } }]);
    expect(decided([opened(1), ...tries.flat()])).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
  });

  it('stops at once when no retry can help, without running the gates', () => {
    const fatal = [opened(1), agentBegun(1), ended(1, { verdict: 'fatal', why: 'not logged in', exit_code_if_fatal: 4 })];
    expect(decided(fatal)).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
    expect(decided([...fatal, closed(1, { result: 'abandoned' })])).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'fatal', message: 'not logged in', exit_code: 4 } },
    ]);
  });

  it('lets running effects finish when asked to drain, and judges them', () => {
    const drain: EventBody = { type: 'operator.asked', what: 'drain', by: 'SIGINT' };
    expect(decided([opened(1), agentBegun(1), drain])).toEqual([]);
    expect(decided([opened(1), agentBegun(1), drain, ended(1)])).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
    expect(decided([opened(1), agentBegun(1), drain, ended(1, { verdict: 'failed' })])).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
    expect(decided([drain])).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'interrupted', exit_code: 130, signal: 'SIGINT' } }]);
  });

  it('ends running effects when told to abort, and keeps the first signal as the reason', () => {
    const twice: EventBody[] = [
      { type: 'operator.asked', what: 'drain', by: 'SIGTERM' },
      { type: 'operator.asked', what: 'abort', by: 'SIGINT' },
    ];
    expect(decided([opened(1), agentBegun(1), ...twice])).toMatchObject([{ kind: 'cancel', key: 'agent:1.1' }]);
    expect(decided([opened(1), agentBegun(1), ...twice, ended(1, { verdict: 'failed' }), closed(1, { result: 'abandoned' })])).toMatchObject([
      { kind: 'stop', outcome: { exit_code: 143 } },
    ]);
  });

  it('pauses longer after each failed iteration in a row', () => {
    const failures = (count: number) => Array.from({ length: count }, (_, index) => [opened(index + 1), closed(index + 1, { result: 'failed' })]).flat();
    const endless = testSettings({ maximumIterations: 0 });
    expect(decided(failures(1), endless)).toMatchObject([{ kind: 'say' }]);
    expect(decided(failures(3), endless)).toMatchObject([{ kind: 'wait', untilMs: 7_000 + 2_000 }]);
  });

  it('stops on the first failed iteration when onAgentError says so', () => {
    expect(decided([opened(1), closed(1, { result: 'failed' })], testSettings({ onAgentError: 'stop' }))).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'stuck', exit_code: 1 } },
    ]);
  });

  it('forgets an earlier request to stop when it is resumed, and never reuses a number', () => {
    const again = [opened(1), closed(1, { result: 'abandoned' }), { type: 'operator.asked', what: 'drain', by: 'SIGINT' } as const];
    const resumed: EventBody = { type: 'run.resumed', ralph: '0.0.0', writer: { host: 'h', boot_id: 'b', pid: 2, start_time: '2' } };
    expect(decided([...again, resumed])).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 2 } }]);
  });
});

describe('an agent that ends with a question', () => {
  const asking = { by: 'blocked', text: 'Which account?' } as const;
  const asked: EventBody = { type: 'question.asked', iteration: 1, story: null, question: { kind: 'blocked', text: 'Which account?' } };
  const iteration = [opened(1), agentBegun(1), ended(1, { claim: asking }), asked, gatesBegun(1, gates), green(1, 't')];
  const over = [...iteration, closed(1)];

  it('has it written down first, and its work judged', () => {
    expect(decided(iteration.slice(0, 3))).toEqual([{ kind: 'say', event: asked }]);
    expect(decided(iteration.slice(0, 4))).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
  });

  it('has not said that it is done, however green the gates are', () => {
    expect(decided(iteration)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', result: 'green', claim: null, accepted: false } }]);
  });

  it('stops the run until a person has answered; the answer is in the next prompt', () => {
    expect(decided(over)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'waiting', exit_code: 3, message: expect.stringContaining('Which account?') } },
    ]);
    const answered: EventBody = { type: 'question.answered', story: null, answer: 'The blue one.', by: 'ann' };
    expect(decided([...over, answered])).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
    expect(decided([...over, answered, opened(2)])).toMatchObject([
      { kind: 'do', effect: { kind: 'run-agent', answers: [{ question: 'Which account?', answer: 'The blue one.' }] } },
    ]);
  });

  it('waits rather than give up when it was the last iteration', () => {
    expect(decided(over, { ...settings, maximumIterations: 1 })).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'waiting' } }]);
  });

  it('does not end a run that is done: what an agent asked on its way needs no answer', () => {
    const onTheWay: EventBody = { ...asked, by: 'ralph ask' };
    const done = [
      opened(1),
      agentBegun(1),
      onTheWay,
      ended(1, { claim }),
      gatesBegun(1, gates),
      green(1),
      closed(1, { result: 'green', claim, accepted: true }),
    ];
    expect(decided(done)).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'completed', exit_code: 0 } }]);
  });
});
