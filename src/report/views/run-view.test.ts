import { describe, expect, it } from 'vitest';
import { given, runStarted, writer } from '../../../test/support/given.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { childStarted, failedLife, life, looked } from '../../../test/support/supervise-journal.ts';
import { superviseSettings } from '../../../test/support/supervise-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { runView } from './run-view.ts';

const viewOf = (settings: RunSettings, ...bodies: readonly EventBody[]) => runView(given(runStarted(settings), ...bodies).reduce(evolve, emptyState), 9000);

describe('the view of a supervised run', () => {
  it('names its task and its parent', () => {
    expect(viewOf(superviseSettings({ parent: 'p' }, { recipe: 'job' }))).toMatchObject({
      recipe: 'job',
      project: 'demo',
      task: 'task-20260115-044055-docs',
      parent_run_id: 'p',
      restarts: 0,
      children: [],
      waiting: null,
    });
  });

  it('counts the attempts that count, and names the running agent and what the run waits for', () => {
    const lost = life(2, { verdict: 'lost', ending: { kind: 'lost' } }, 'abandoned');
    const wait = { by: 'bus', reason: 'an answer' } as const;
    const view = viewOf(superviseSettings(), ...failedLife(1), looked(), ...lost, childStarted('c'), looked({ wait, children: ['c'] }));
    expect(view).toMatchObject({ restarts: 1, children: ['c'], waiting: 'an answer', iterations: 2 });
  });

  it('says after a good end that its proof is green, in place, and nothing before', () => {
    const stopped: EventBody = {
      type: 'run.stopped',
      outcome: { stop_reason: 'completed', message: 'Done', exit_code: 0, claim: null, signal: null, unproven: false, zero_work: false },
    };
    const { gates } = testSettings();
    const settings = { ...superviseSettings(), gates };
    expect(viewOf(settings, stopped).proof).toMatchObject({ verdict: 'proven', level: 'place', gates: [{ command: gates[0]?.command, state: 'unknown' }] });
    expect(viewOf(settings).proof).toBeNull();
    expect(viewOf(superviseSettings(), stopped).proof).toBeNull();
    expect(viewOf(testSettings(), stopped).proof).toBeNull();
  });
});

describe('the view of any other run', () => {
  it('has no task', () => {
    expect(viewOf(testSettings())).toMatchObject({ project: null, task: null, parent_run_id: null, restarts: null, children: [], waiting: null });
  });

  it('counts the time up to now while it runs, and never the time between a stop and a resume', () => {
    const at = (ms: number, body: EventBody, seq: number) => ({ v: 1 as const, seq, at: ms, body });
    const begun = [at(1000, runStarted(superviseSettings()), 1), at(3000, looked(), 2)];
    const resumed = [...begun, at(60_000, { type: 'run.resumed', ralph: 't', writer }, 3)];
    expect(runView(begun.reduce(evolve, emptyState), 4000)).toMatchObject({ duration_ms: 3000 });
    expect(runView(resumed.reduce(evolve, emptyState), 61_000)).toMatchObject({ duration_ms: 3000 });
  });
});

describe('the view of a run that waits', () => {
  const limited = life(1, { verdict: 'limited', limit_resets_at: 60_000, limit_window: 'five_hour' });

  it('says that it is paused, until it goes on or stops', () => {
    const paused = { type: 'operator.asked', what: 'pause', by: 'somebody' } as const;
    expect(viewOf(testSettings())).toMatchObject({ paused: false, limit: null });
    expect(viewOf(testSettings(), paused)).toMatchObject({ paused: true });
    expect(viewOf(testSettings(), paused, { ...paused, what: 'go-on' })).toMatchObject({ paused: false });
  });

  it('says for which limit it waits, and until when', () => {
    const view = viewOf(superviseSettings(), ...limited);
    expect(view.limit?.window).toBe('five_hour');
    expect(view.limit?.until).toBeGreaterThanOrEqual(60_000);
  });
});
