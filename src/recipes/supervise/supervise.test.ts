import { describe, expect, it } from 'vitest';
import { agentBegun, closed, ended, judged, opened } from '../../../test/support/run-events.ts';
import { crashed, decidedAfter, file, life, looked, superviseSettings } from '../../../test/support/supervise-events.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';

const look = (before: number) => [{ kind: 'do', effect: { kind: 'look-at-task', before } }];
const stop = (stop_reason: string, exit_code: number) => [{ kind: 'stop', outcome: { stop_reason, exit_code } }];
const asked = (what: 'drain' | 'abort', by = 'SIGINT'): EventBody => ({ type: 'operator.asked', what, by });
const post = [{ kind: 'do', effect: { kind: 'post', bus: 'project' } }];
const posted: EventBody = { type: 'posted', key: 'post:completion', msg_id: 'm', problem: null };

describe('a supervised agent', () => {
  it('follows the order of the seed: DONE before, the count, the start, DONE after, the pause, and again', () => {
    const first = life(1, crashed);
    expect(decidedAfter([])).toMatchObject(look(1));
    expect(decidedAfter(first.slice(0, 2))).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 1 } }]);
    expect(decidedAfter(first.slice(0, 3))).toMatchObject([{ kind: 'do', effect: { kind: 'run-agent', previous_life: null } }]);
    expect(decidedAfter(first.slice(0, 5))).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', result: 'failed' } }]);
    expect(decidedAfter(first.slice(0, 6))).toMatchObject(look(0));
    const settings = superviseSettings({ restartDelayMs: 60_000 });
    expect(decidedAfter(first, { settings })).toMatchObject([{ kind: 'wait', untilMs: 67_000 }]);
    expect(decidedAfter(first)).toMatchObject(look(2));
  });

  it('is told which start was before it', () => {
    expect(decidedAfter([...life(1), ...looked(2), opened(2)])).toMatchObject([{ effect: { kind: 'run-agent', previous_life: { iteration: 1, attempt: 1 } } }]);
  });

  it('is never stopped by exit code 0', () => {
    expect(decidedAfter(life(1))).toMatchObject(look(2));
  });

  it('is counted by starts, and a maximum of 0 allows none', () => {
    const none = superviseSettings({ maxRestarts: 0 });
    const one = superviseSettings({ maxRestarts: 1 });
    expect(decidedAfter([], { settings: none })).toMatchObject(look(1));
    expect(decidedAfter(looked(1), { settings: none })).toMatchObject(stop('max_restarts', 1));
    expect(decidedAfter(looked(1), { settings: one })).toMatchObject([{ kind: 'say' }]);
    expect(decidedAfter([...life(1, crashed), ...looked(2)], { settings: one })).toMatchObject(stop('max_restarts', 1));
  });

  it('is done when a person writes DONE in the pause, also after the last start', () => {
    const settings = superviseSettings({ maxRestarts: 1 });
    expect(decidedAfter([...life(1, crashed), ...looked(2, { done: file })], { settings })).toMatchObject(post);
  });

  it('is not charged for a start that was cut off by the death of the loop', () => {
    const cutOff = [...looked(1), opened(1), agentBegun(1), ended(1, { verdict: 'lost', ending: { kind: 'lost' } })];
    expect(decidedAfter(cutOff)).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
    const settings = superviseSettings({ maxRestarts: 1 });
    expect(decidedAfter([...cutOff, closed(1, { result: 'abandoned' }), ...looked(0), ...looked(2)], { settings })).toMatchObject([
      { kind: 'say', event: { type: 'iteration.opened', iteration: 2 } },
    ]);
  });

  it('is not started after a usage limit when the task is done by then', () => {
    const limited = [...looked(1), opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 5_500 })];
    expect(decidedAfter(limited)).toMatchObject([{ kind: 'do', effect: { kind: 'look-at-task', before: 1, iteration: 1 } }]);
    expect(decidedAfter([...limited, ...looked(1)], { laterMs: 60_000 })).toMatchObject([{ kind: 'do', effect: { kind: 'run-agent', attempt: 2 } }]);
    expect(decidedAfter([...limited, ...looked(1, { done: file })])).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
  });
});

describe('a DONE file', () => {
  it('ends the run at once when there is nobody to wait for, and the project is told once', () => {
    const done = [...life(1, crashed), ...life(2, {}, { done: file })];
    expect(decidedAfter(done)).toMatchObject(post);
    expect(decidedAfter([...done, posted])).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'completed', exit_code: 0, unproven: true, claim: { by: 'done-file', text: 'DONE' } } },
    ]);
  });

  it('prevents any start when it already exists', () => {
    expect(decidedAfter(looked(1, { done: file }))).toMatchObject(post);
  });

  it('ends the run as broken when it is not a regular file', () => {
    expect(decidedAfter(looked(1, { done: { kind: 'problem', why: 'DONE is a directory' } }))).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'fatal', message: 'DONE is a directory', exit_code: 4 } },
    ]);
  });

  it('gives a running agent a grace period, and then ends it', () => {
    const running: EventBody[] = [...looked(1), opened(1), agentBegun(1), { type: 'done.seen', done: file }];
    expect(decidedAfter(running)).toEqual([{ kind: 'wait', untilMs: 66_000 }]);
    expect(decidedAfter(running, { laterMs: 60_000 })).toMatchObject([{ kind: 'cancel', key: 'agent:1.1' }]);
    expect(decidedAfter(running, { laterMs: 1e9, settings: superviseSettings({ doneGraceMs: 0 }) })).toEqual([]);
    expect(decidedAfter([...running, { type: 'done.seen', done: { kind: 'absent' } }], { laterMs: 1e9 })).toEqual([]);
  });
});

describe('a DONE file that a person writes while no agent is running', () => {
  const seen: EventBody = { type: 'done.seen', done: file };

  it.each([
    ['while other tasks are waited for', looked(1, { blocked_by: [{ task: 'a', why: 'running' }] }), 1],
    ['in a long pause', life(1, crashed), 0],
    ['while a usage limit is waited for', [...looked(1), opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 1e12 }), ...looked(1)], 1],
  ])('is noticed: %s', (_name, bodies, before) => {
    const settings = superviseSettings({ dependsOn: ['a'], restartDelayMs: 1e9 }, { limits: { ...superviseSettings().limits, limitWaitMs: 0 } });
    expect(decidedAfter(bodies, { settings })).toMatchObject([{ kind: 'wait' }]);
    expect(decidedAfter([...bodies, seen], { settings })).toMatchObject(look(before));
  });
});

describe('a DONE file with checks', () => {
  const gate = { command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 0 } as const;
  const settings = superviseSettings({}, { gates: [gate] });
  const done = life(1, {}, { done: file });
  const verdict = (code: number): EventBody => judged(0, [[gate, code]], { key: 'gates:done.1' });

  it('is accepted only when they are green', () => {
    expect(decidedAfter(done, { settings })).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', iteration: 0, gates: [gate] } }]);
    expect(decidedAfter([...done, verdict(0), posted], { settings })).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'completed', unproven: false } }]);
  });

  it('is refused when they are red, and the next agent is told why', () => {
    const red = [...done, verdict(1)];
    expect(decidedAfter(red, { settings })).toMatchObject([{ kind: 'do', effect: { kind: 'refuse-done', number: 1 } }]);
    const refused: EventBody = { type: 'done.refused', key: 'refuse-done:1', renamed: 'DONE.refused-1' };
    expect(decidedAfter([...red, refused], { settings })).toMatchObject(look(2));
    expect(decidedAfter([...red, refused, ...looked(2), opened(2)], { settings })).toMatchObject([
      { effect: { kind: 'run-agent', failures: [{ check: 'make test' }] } },
    ]);
  });

  it('is reported to the next agent even if the loop died before it was renamed', () => {
    const resumed: EventBody = { type: 'run.resumed', ralph: '0.0.0', writer: { host: 'h', boot_id: 'b', pid: 2, start_time: '2' } };
    const begun: EventBody = {
      type: 'effect.begun',
      key: 'refuse-done:1',
      effect: { kind: 'refuse-done', key: 'refuse-done:1', iteration: 0, attempt: 0, number: 1 },
    };
    const crash = [...done, verdict(1), begun, resumed, { type: 'effect.lost', key: 'refuse-done:1' } as const];
    expect(decidedAfter([...crash, ...looked(2), opened(2)], { settings })).toMatchObject([
      { effect: { kind: 'run-agent', failures: [{ check: 'make test' }] } },
    ]);
  });

  it('is checked before the first start too', () => {
    expect(decidedAfter(looked(1, { done: file }), { settings })).toMatchObject([{ effect: { kind: 'run-gates' } }]);
  });
});

describe('an agent that waits', () => {
  const wait = { by: 'bus', reason: 'for the review' } as const;

  it.each([
    ['by its exit code', life(1, { verdict: 'failed', ending: { kind: 'exited', code: 42 } })],
    ['by a message or a marker', life(1, {}, { wait })],
  ])('is not restarted: %s', (_name, bodies) => {
    expect(decidedAfter(bodies)).toMatchObject(stop('waiting', 0));
    expect(decidedAfter(bodies, { settings: superviseSettings({ failOnBlocked: true }) })).toMatchObject(stop('waiting', 3));
  });

  it('is not retried after a usage limit', () => {
    const limited = [...looked(1), opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 5_500 })];
    expect(decidedAfter([...limited])).toMatchObject([{ effect: { kind: 'look-at-task', after_an_attempt: true } }]);
    expect(decidedAfter([...limited, ...looked(1, { wait })])).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
  });

  it('has not failed', () => {
    const waiting = [...looked(1), opened(1), agentBegun(1), ended(1, { verdict: 'failed', ending: { kind: 'exited', code: 42 } })];
    expect(decidedAfter(waiting)).toMatchObject([{ kind: 'say', event: { result: 'green' } }]);
  });

  it('is done if DONE exists', () => {
    expect(decidedAfter(life(1, {}, { wait, done: file }))).toMatchObject(post);
  });

  it('continues when it is resumed', () => {
    const resumed: EventBody = { type: 'run.resumed', ralph: '0.0.0', writer: { host: 'h', boot_id: 'b', pid: 2, start_time: '2' } };
    expect(decidedAfter([...life(1, {}, { wait }), resumed])).toMatchObject(look(2));
    expect(decidedAfter([...life(1, {}, { wait }), resumed, ...looked(2)])).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 2 } }]);
  });
});

describe('a supervisor that is told to stop', () => {
  it('still accepts the DONE of an agent that ended in time', () => {
    const drained = [...looked(1), opened(1), agentBegun(1), asked('drain'), ended(1), closed(1, { result: 'green' })];
    expect(decidedAfter(drained)).toMatchObject(look(0));
    expect(decidedAfter([...drained, ...looked(0, { done: file })])).toMatchObject(post);
    expect(decidedAfter([...drained, ...looked(0)])).toMatchObject(stop('interrupted', 130));
  });

  it('checks once more for DONE when it gives up on a usage limit', () => {
    const limits = { ...superviseSettings().limits, limitWaitMs: 1_000 };
    const settings = superviseSettings({}, { limits });
    const limited = [...looked(1), opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 1e9 }), closed(1, { result: 'abandoned' })];
    expect(decidedAfter(limited, { settings })).toMatchObject(look(0));
    expect(decidedAfter([...limited, ...looked(0, { done: file })], { settings })).toMatchObject(post);
    expect(decidedAfter([...limited, ...looked(0)], { settings })).toMatchObject(stop('rate_limited', 1));
  });

  it('stops at once when it is told twice', () => {
    const running = [...looked(1), opened(1), agentBegun(1), asked('abort')];
    expect(decidedAfter(running)).toMatchObject([{ kind: 'cancel', key: 'agent:1.1' }]);
  });

  it('stops during the pause', () => {
    expect(decidedAfter([...life(1, crashed), asked('drain', 'SIGTERM')])).toMatchObject(stop('interrupted', 143));
  });
});
