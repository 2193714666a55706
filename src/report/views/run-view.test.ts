import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
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
});

describe('the view of any other run', () => {
  it('has no task', () => {
    expect(viewOf(testSettings())).toMatchObject({ project: null, task: null, parent_run_id: null, restarts: null, children: [], waiting: null });
  });
});
