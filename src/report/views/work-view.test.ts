import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { begun, doneTask, failedTask, none, unfinishedTask } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { runView } from './run-view.ts';

const viewOf = (settings: RunSettings, ...bodies: readonly EventBody[]) =>
  runView(given(runStarted(settings), ...bodies).reduce(evolve, emptyState), 9000).work;
const settings = workSettings({ filter: { story: 'S-1', milestone: null, tags: [] } }, { lanes: 2 });

describe('the view of a run on a plan', () => {
  it('names the plan and its filter', () => {
    expect(viewOf(settings)).toMatchObject({ plan: 'task-graph.yaml', plan_kind: 'task-graph', story: 'S-1', workers: 2, current: [], nothing: null });
  });

  it('counts each task once', () => {
    expect(viewOf(settings, ...doneTask(1, 'a'), ...failedTask(2, 'b'), ...unfinishedTask(3, 'c'))?.tasks).toEqual({
      done: 1,
      not_completed: 1,
      failed: 1,
      unproven: 0,
      conflicts: 0,
      parked: 0,
      interrupted: 0,
      held: 0,
    });
  });

  it('says who works on what, by worker', () => {
    const lanes = [...begun(1, 'T-2', { lane: 2, n: 3 }), ...begun(2, 'T-1', { lane: 1 })];
    expect(viewOf(settings, ...lanes)?.current).toEqual([
      { lane: 1, iteration: 2, task: 'T-1', title: 'Title of T-1', n: 1, since: 7000, branch: 'ralph/t-1.1' },
      { lane: 2, iteration: 1, task: 'T-2', title: 'Title of T-2', n: 3, since: 3000, branch: 'ralph/t-2.3' },
    ]);
  });

  it('says why there is nothing to do', () => {
    expect(viewOf(settings, none({ reason: 'all-blocked', detail: 'x' }))?.nothing).toEqual({ reason: 'all-blocked', held: false, detail: 'x' });
  });
});

describe('the view of any other run', () => {
  it('has no plan', () => {
    expect(viewOf(testSettings())).toBeNull();
  });
});
