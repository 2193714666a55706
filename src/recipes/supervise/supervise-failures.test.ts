import { describe, expect, it } from 'vitest';
import { agentBegun, closed, ended, opened } from '../../../test/support/run-events.ts';
import { crashed, decidedAfter, life, looked, superviseSettings } from '../../../test/support/supervise-events.ts';

const look = (before: number) => [{ kind: 'do', effect: { kind: 'look-at-task', before } }];
const stop = (stop_reason: string, exit_code: number) => [{ kind: 'stop', outcome: { stop_reason, exit_code } }];

describe('failures of a root agent', () => {
  const failing = (count: number) => Array.from({ length: count }, (_, index) => life(index + 1, crashed)).flat();

  it('make the pause longer if that is wanted, up to its limit', () => {
    const settings = superviseSettings({ restartDelayMs: 10_000, backoffMs: 60_000, maxRestarts: 100 });
    const pauseAfter = (count: number) => {
      const [decision] = decidedAfter(failing(count), { settings, laterMs: 0 });
      const closedAtMs = 1_000 * (failing(count).length - 2 + 1);
      return decision?.kind === 'wait' ? decision.untilMs - closedAtMs : null;
    };
    expect([1, 2, 3, 4, 9].map(pauseAfter)).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('end the run when they come too fast, and not otherwise', () => {
    const within = (withinMs: number) => superviseSettings({ intensity: { failures: 2, withinMs }, maxRestarts: 100 });
    expect(decidedAfter(failing(2), { settings: within(60_000) })).toMatchObject(look(3));
    expect(decidedAfter(failing(3), { settings: within(60_000) })).toMatchObject(stop('stuck', 1));
    expect(decidedAfter(failing(3), { settings: within(5_000) })).toMatchObject(look(4));
    expect(decidedAfter(failing(3).slice(0, -2), { settings: within(60_000) })).toMatchObject(look(0));
  });

  it('are restarted also when they come at once and alike: a supervisor has a restart policy of its own', () => {
    const alike: Parameters<typeof life>[1] = { ...crashed, at_once: true, cause: { class: 'passing', kind: 'crash' } };
    const lives = Array.from({ length: 8 }, (_, index) => life(index + 1, alike)).flat();
    const settings = superviseSettings({ maxRestarts: 100 });
    expect(decidedAfter(lives, { settings: { ...settings, limits: { ...settings.limits, stuckAfter: 3 } } })).toMatchObject(look(9));
  });

  it('end the run at once when no retry can help', () => {
    const fatal = [...looked(1), opened(1), agentBegun(1), ended(1, { verdict: 'fatal', why: 'not found', exit_code_if_fatal: 4 })];
    const over = [...fatal, closed(1, { result: 'abandoned' })];
    expect(decidedAfter([...over, ...looked(0)])).toMatchObject(stop('fatal', 4));
    // Unless it has written DONE before.
    expect(decidedAfter(over)).toMatchObject(look(0));
    expect(decidedAfter([...over, ...looked(0, { done: { kind: 'file' } })])).toMatchObject([{ effect: { kind: 'post' } }]);
  });
});

describe('the dependencies of a supervised task', () => {
  const settings = superviseSettings({ dependsOn: ['a'] });
  const blocked = looked(1, { blocked_by: [{ task: 'a', why: 'failed' }] });

  it('are awaited before the first start, and checked once more when they are met', () => {
    expect(decidedAfter(blocked, { settings })).toMatchObject([{ kind: 'wait' }]);
    expect(decidedAfter([...blocked, { type: 'dependencies.seen', blocked_by: [] }], { settings })).toMatchObject(look(1));
  });

  it('end the run when they have failed, only if that is wanted', () => {
    const strict = superviseSettings({ dependsOn: ['a'], failOnBlocked: true });
    expect(decidedAfter(blocked, { settings: strict })).toMatchObject(stop('blocked', 3));
    expect(decidedAfter(looked(1, { blocked_by: [{ task: 'a', why: 'running' }] }), { settings: strict })).toMatchObject([{ kind: 'wait' }]);
  });
});
