import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRun, stopped } from '../../../test/support/made-runs.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { opened } from '../../../test/support/run-events.ts';
import { seen, turnBegun } from '../../../test/support/stories-journal.ts';
import { approved, storiesSettings, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { StoryPlan } from '../../journal/words/story.ts';
import type { StoriesSpec } from '../../settings/schema/stories-spec.ts';
import { checkPlan, planStatus } from './plan-status.ts';

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

const RULES = { cap: 5, skipReview: false };
const good: StoryPlan = {
  ...storyPlan(approved('a', { description: 'x' }), story('b', { description: 'y', priority: 2, dependsOn: ['a'] })),
  verifyCommands: ['npm test'],
};

const check = (repo: Repo, wanted: string | null = null, over = {}) =>
  checkPlan(wanted, { ...RULES, ...over }, { cwd: repo.path, env: { PATH: process.env['PATH'] ?? '' } });
const openPlan = (text: string) => openRepo({ 'ralph/tasks.json': text });

describe('a list of stories', () => {
  it('without problems is reported as valid', async () => {
    await using repo = await openPlan(JSON.stringify(good));
    expect(await check(repo)).toEqual({ path: 'ralph/tasks.json', stories: 2, problems: [], warnings: [] });
  });

  it('may be named, and is found from a subfolder', async () => {
    await using repo = await openRepo({ 'ralph/tasks.json': JSON.stringify(good), 'other/list.json': '{}', 'task-graph.yaml': 'nodes: []' });
    expect(await check(repo, 'other/list.json')).toMatchObject({ path: 'other/list.json', stories: 0 });
    expect(await checkPlan(null, RULES, { cwd: join(repo.path, 'other'), env: {} })).toMatchObject({ path: 'ralph/tasks.json', problems: [] });
  });

  it.each([
    ['that is no JSON', '{"userStories": [', 1],
    ['that is empty', '', 1],
    ['with a circle', JSON.stringify(storyPlan(story('a', { dependsOn: ['b'] }), story('b', { dependsOn: ['a'] }))), 1],
    ['with two of one id', JSON.stringify(storyPlan(story('a'), story('a'))), 1],
    ['that passes without an approval', JSON.stringify(storyPlan(approved('a', { reviewStatus: null }), approved('b', { reviewStatus: 'needs_review' }))), 2],
    ['as it is fresh from its template', JSON.stringify(storyPlan(story('US-001', { title: '', acceptanceCriteria: [] }))), 1],
  ])('%s gets its problems reported, one per line', async (_, text, least) => {
    await using repo = await openPlan(text);
    const { problems } = await check(repo);
    expect(problems.length).toBeGreaterThanOrEqual(least);
    for (const problem of problems) expect(problem).not.toContain('\n');
  });

  it('behind a link is refused', async () => {
    await using repo = await openRepo({ 'real.json': JSON.stringify(good), 'ralph/prd.md': '' });
    symlinkSync('../real.json', join(repo.path, 'ralph/tasks.json'));
    expect(await check(repo)).toMatchObject({ problems: ['it is a symbolic link'] });
  });

  it('is judged by the review cap and by whether there are reviews', async () => {
    await using repo = await openPlan(JSON.stringify({ ...good, userStories: [approved('a', { reviewCount: 9 })] }));
    expect((await check(repo)).problems).toHaveLength(1);
    expect((await check(repo, null, { cap: 9 })).problems).toEqual([]);
    expect((await check(repo, null, { skipReview: true })).problems).toEqual([]);
  });

  it('gets warnings about what does not prevent a start', async () => {
    await using repo = await openPlan(JSON.stringify(storyPlan(story('a'), story('b', { description: 'x' }))));
    expect((await check(repo)).warnings).toEqual([
      'There are no verifyCommands: nothing but the review proves that a story is done',
      'Story b has the same priority as a (1): their order in the list decides which goes first',
      'Story a has no description',
    ]);
  });

  it('that is missing is reported with how to make one', async () => {
    await using repo = await openRepo();
    await expect(check(repo)).rejects.toMatchObject({ code: 'no-stories', hint: 'Make one with: ralph plan init' });
    await repo.write('task-graph.yaml', 'nodes: []');
    await expect(check(repo, 'task-graph.yaml')).rejects.toMatchObject({ code: 'no-stories', message: 'task-graph.yaml is a plan of another kind' });
  });
});
