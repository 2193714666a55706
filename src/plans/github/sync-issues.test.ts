import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { issue, openGh } from '../../../test/support/gh-stand-in.ts';
import { openRepo } from '../../../test/support/repo.ts';
import { openPlanStore } from '../open-plan-store.ts';
import type { GithubIssue } from './gh.ts';
import { syncIssues } from './sync-issues.ts';

async function openStage(issues: readonly GithubIssue[]) {
  const repo = await openRepo();
  const gh = await openGh(repo.beside, issues);
  const env: Record<string, string> = { ...(process.env as Record<string, string>), ...gh.env };
  const path = 'github-issues.jsonl';
  return {
    ...gh,
    repo,
    text: async () => await readFile(join(repo.path, path), 'utf8'),
    sync: async (over: { readonly dryRun?: boolean; readonly label?: string; readonly env?: Record<string, string> } = {}) =>
      await syncIssues({ label: over.label ?? 'ralph', milestone: null, path, dryRun: over.dryRun ?? false }, { cwd: repo.path, env: { ...env, ...over.env } }),
    plan: () => openPlanStore({ kind: 'beads', path, top: repo.path, cacheFolder: null }),
    [Symbol.asyncDispose]: async () => await repo[Symbol.asyncDispose](),
  };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

async function complete({ plan }: Stage, id: string): Promise<void> {
  const reading = await plan().read();
  expect(await plan().write(reading?.digest ?? '', [{ kind: 'status', id, status: 'complete', at_ms: 0 }])).toBe('written');
}

describe('the issues of GitHub as a plan', () => {
  it('are read with gh and are a plan that ralph work understands', async () => {
    await using stage = await openStage([issue(12, { body: 'Search.\nDepends on #7 and blocked by #3.' }), issue(7), issue(3, { state: 'CLOSED' })]);
    expect(await stage.sync()).toEqual({ open: 2, closed: [], written: true });
    expect(await stage.calls()).toEqual(['issue list --state all --limit 500 --json number,title,body,state,labels,url --label ralph']);
    const reading = await stage.plan().read();
    expect(reading?.problems).toEqual([]);
    expect(reading?.plan?.tasks.map(({ id, title, status, needs, tags }) => [id, title, status, needs, tags])).toEqual([
      ['gh-7', 'Issue 7', 'pending', [], ['ralph']],
      ['gh-12', 'Issue 12', 'pending', ['gh-7'], ['ralph']],
    ]);
    expect(reading?.plan?.tasks[1]?.description).toContain('Search.');
    expect(await stage.sync()).toEqual({ open: 2, closed: [], written: false });
  });

  it('are closed once their tasks are done, with a comment that names the merge', async () => {
    await using stage = await openStage([issue(7), issue(12)]);
    await stage.sync();
    await complete(stage, 'gh-7');
    const commit = stage.repo.git('rev-parse', 'HEAD').trim();
    stage.repo.git('update-ref', 'refs/ralph/merged/gh-7.1', commit);

    expect(await stage.sync({ dryRun: true })).toEqual({ open: 1, closed: [{ number: 7, title: 'Issue 7', commit }], written: false });
    expect(await stage.sync()).toMatchObject({ open: 1, closed: [{ number: 7, commit }] });
    const closing = (await stage.calls()).filter((call) => call.startsWith('issue close'));
    expect(closing).toEqual([`issue close 7 --comment Done in ${commit}: every check was green on the merged result (ralph work).`]);

    await stage.has([issue(7, { state: 'CLOSED' }), issue(12)]);
    expect(await stage.sync()).toMatchObject({ open: 1, closed: [] });
  });

  it('that somebody reopened are open in the plan again', async () => {
    await using stage = await openStage([issue(7)]);
    await stage.sync();
    await complete(stage, 'gh-7');
    await stage.sync();
    expect(await stage.sync()).toMatchObject({ open: 1, closed: [] });
    expect((await stage.plan().read())?.plan?.tasks).toMatchObject([{ id: 'gh-7', status: 'pending' }]);
  });

  it('leave tasks alone that are no issues', async () => {
    await using stage = await openStage([issue(7)]);
    await stage.sync();
    const own = '{"id":"own","title":"Mine","status":"open"}\n';
    await writeFile(join(stage.repo.path, 'github-issues.jsonl'), `${await stage.text()}${own}`);
    expect(await stage.sync()).toMatchObject({ open: 2, written: false });
    expect(await stage.text()).toContain(own);
  });

  it.each([
    ['gh is not installed', { PATH: '/nowhere' }, 'gh, the command line of GitHub, is not on PATH'],
    ['nobody is logged in', { GH_FAILS: '4', GH_SAYS: 'To get started with GitHub CLI, please run:  gh auth login' }, 'gh is not logged in to GitHub'],
    ['gh fails', { GH_FAILS: '1', GH_SAYS: 'no git remotes found' }, 'gh issue list failed: no git remotes found'],
  ])('are refused in one line when %s', async (_when, env, message) => {
    await using stage = await openStage([issue(7)]);
    await expect(stage.sync({ env })).rejects.toThrow(message);
    await expect(stage.text()).rejects.toThrow('ENOENT');
  });

  it('are refused in one line when there are none', async () => {
    await using stage = await openStage([]);
    await expect(stage.sync({ label: 'nobody' })).rejects.toThrow('there is no issue with the label "nobody"');
  });
});
