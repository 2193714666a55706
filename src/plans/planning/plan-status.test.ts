import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRun, stopped } from '../../../test/support/made-runs.ts';
import { openRepo } from '../../../test/support/repo.ts';
import { opened } from '../../../test/support/run-events.ts';
import { seen, turnBegun } from '../../../test/support/stories-journal.ts';
import { approved, storiesSettings, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { StoriesSpec } from '../../settings/schema/stories-spec.ts';
import { planStatus } from './plan-status.ts';

const env = { PATH: process.env['PATH'] ?? '' };

describe('the status of a list of stories', () => {
  it('shows the state of each story, and how many are done', async () => {
    const plan = storyPlan(
      approved('a'),
      approved('b', { reviewFeedback: '[AUTO-APPROVED AT CAP] x', reviewCount: 5 }),
      story('c', { reviewStatus: 'needs_review' }),
      story('d', { reviewStatus: 'changes_requested', reviewFeedback: 'x', reviewCount: 2 }),
      story('e', { dependsOn: ['a'] }),
      story('f', { dependsOn: ['c'] }),
    );
    await using repo = await openRepo({ 'ralph/tasks.json': JSON.stringify(plan) });
    const { rows, done, stats } = await planStatus(null, false, { cwd: repo.path, env });
    expect(rows.map(({ status }) => status)).toEqual(['approved', 'approved_at_cap', 'needs_review', 'changes_requested', 'open', 'waits']);
    expect({ done, stats }).toEqual({ done: 2, stats: null });
  });

  it('has no statistics before the first run', async () => {
    await using repo = await openRepo({ 'ralph/tasks.json': JSON.stringify(storyPlan(story('a'))) });
    const { stats } = await planStatus(null, true, { cwd: repo.path, env });
    expect(stats).toMatchObject({ runs: 0, unreadable: [], cap_hits: 0, stories: [] });
  });

  it('counts every run on this list, and no run on another one', async () => {
    await using repo = await openRepo({ 'ralph/tasks.json': JSON.stringify(storyPlan(story('a'))) });
    const runs = join(repo.path, '.git/ralph/runs');
    const events = [seen(storyPlan(story('a'))), opened(1), turnBegun(1, 'implement', 'a')];
    const on = (over: Partial<StoriesSpec>) => ({ settings: storiesSettings({ home: repo.path, ...over }), after: [...events, stopped('interrupted')] });
    await makeRun(runs, '20250101-000000-aaaaaa', on({}));
    await makeRun(runs, '20250102-000000-bbbbbb', on({ home: '/gone/since' }));
    await makeRun(runs, '20250103-000000-cccccc', on({ branch: 'ralph/other' }));
    await makeRun(runs, '20250104-000000-dddddd', on({ plan: 'other/tasks.json' }));
    await makeRun(runs, '20250105-000000-eeeeee', on({ home: repo.beside }));
    await makeRun(runs, '20250106-000000-ffffff');
    const damaged = await makeRun(runs, '20250107-000000-000000', on({}));
    writeFileSync(join(damaged, 'journal.jsonl'), readFileSync(join(damaged, 'journal.jsonl'), 'utf8').replace('"seq":2', '"seq":9'));

    const { stats } = await planStatus(null, true, { cwd: repo.path, env });
    expect(stats).toMatchObject({ runs: 2, unreadable: ['20250107-000000-000000'], modes: { implement: { iterations: 2 } } });
  });

  it('is refused for a list that is not valid', async () => {
    await using repo = await openRepo({ 'ralph/tasks.json': '[]' });
    await expect(planStatus(null, false, { cwd: repo.path, env })).rejects.toMatchObject({
      code: 'plan-broken',
      hint: expect.stringContaining('ralph plan check'),
    });
  });
});
