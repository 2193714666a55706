import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { takeLock } from '../../store/lock.ts';
import { copyToArchive, readPending, resetPlanFiles, writePending } from './archive-files.ts';
import { type ArchiveRequest, archivePlan } from './archive-plan.ts';
import { initPlan } from './init-plan.ts';

const NOW_MS = Date.UTC(2025, 5, 20);
const NAME = '2025-06-20-My-Shop';
const PENDING = { folder: NAME, label: 'My-Shop', project: 'My Shop', done: 2, total: 3 };

const capped = approved('US-002', { title: 'Pay | now', reviewCount: 5, reviewFeedback: '[AUTO-APPROVED AT CAP] rounding' });
const plan = { ...storyPlan(approved('US-001'), capped, story('US-003', { dependsOn: ['US-001'] })), project: 'My Shop', branchName: 'ralph/shop' };

async function openProject(): Promise<Repo> {
  const repo = await openRepo();
  repo.git('config', 'user.name', 't');
  repo.git('config', 'user.email', 't@example.com');
  await initPlan({ project: repo.path, name: 'My Shop', force: false, nowMs: Date.UTC(2025, 5, 1) });
  await repo.write('ralph/tasks.json', JSON.stringify(plan));
  await repo.write('ralph/prompt.md', 'My own prompt\n');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'plan');
  await repo.write('ralph/prd.md', '# The PRD, not committed\n');
  return repo;
}

const archive = (project: string, over: Partial<ArchiveRequest> = {}) => archivePlan({ project, label: null, includeLogs: false, nowMs: NOW_MS, ...over });
const read = (repo: Repo, name: string) => readFileSync(join(repo.path, name), 'utf8');

/** What must be true after every archive, however often it was interrupted. */
function expectArchived(repo: Repo): void {
  expect(readdirSync(join(repo.path, 'ralph-archive'))).toEqual([NAME]);
  expect(readdirSync(join(repo.path, 'ralph-archive', NAME)).sort()).toEqual(['prd.md', 'progress.txt', 'summary.md', 'tasks.json']);
  expect(read(repo, `ralph-archive/${NAME}/prd.md`)).toBe('# The PRD, not committed\n');
  expect(JSON.parse(read(repo, `ralph-archive/${NAME}/tasks.json`))).toEqual(plan);
  expect(JSON.parse(read(repo, 'ralph/tasks.json'))).toMatchObject({ project: 'My Shop', branchName: 'ralph/feature-name', userStories: [{ passes: false }] });
  expect(read(repo, 'ralph/prd.md')).toMatch(/^# PRD: My Shop\n/);
  expect(read(repo, 'ralph/progress.txt')).toContain('Started: 2025-06-20\n');
  expect(read(repo, 'ralph/prompt.md')).toBe('My own prompt\n');
  expect(repo.git('log', '-1', '--format=%s')).toBe('archive(ralph): My-Shop — 2/3 stories completed');
  expect(repo.git('rev-list', '--count', 'HEAD')).toBe('3');
  expect(repo.git('status', '--porcelain')).toBe('');
}

describe('an archive', () => {
  it('contains the plan and its results, and leaves a fresh plan behind, in one commit', async () => {
    await using repo = await openProject();
    expect(await archive(repo.path)).toMatchObject({ ...PENDING, path: `ralph-archive/${NAME}`, commit: repo.git('rev-parse', 'HEAD'), wasBegun: false });
    expectArchived(repo);
    expect(read(repo, `ralph-archive/${NAME}/summary.md`)).toBe(`# My Shop

- Branch: ralph/shop
- Date range: 2025-06-01 to 2025-06-20
- Stories completed: 2 of 3
- Reviews: 6
- Approved at the review cap: US-002

| Story | Title | Status | Reviews |
| ----- | ----- | ------ | ------- |
| US-001 | Title of US-001 | approved | 1 |
| US-002 | Pay \\| now | approved at cap | 5 |
| US-003 | Title of US-003 | open | 0 |
`);
  });

  it('commits nothing else: staged changes stay staged, and no commit hook stops it', async () => {
    await using repo = await openProject();
    await repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755);
    await repo.write('staged.txt', 'a');
    await repo.write('loose.txt', 'b');
    repo.git('add', 'staged.txt');
    await archive(repo.path);
    expect(
      repo
        .git('show', '--name-only', '--format=', 'HEAD')
        .split('\n')
        .some((name) => !name.startsWith('ralph')),
    ).toBe(false);
    expect(repo.git('status', '--porcelain')).toBe('A  staged.txt\n?? loose.txt');
  });

  it('gets a number when its name is taken, and can be given a label', async () => {
    await using repo = await openProject();
    mkdirSync(join(repo.path, 'ralph-archive/2025-06-20-a-b'), { recursive: true });
    expect(await archive(repo.path, { label: 'a/b' })).toMatchObject({ path: 'ralph-archive/2025-06-20-a-b-2', label: 'a-b' });
  });

  it('works without git too', async () => {
    await using folder = await openThrowAwayFolder();
    await initPlan({ project: folder.path, name: 'x', force: false, nowMs: NOW_MS });
    writeFileSync(join(folder.path, 'ralph/tasks.json'), JSON.stringify(plan));
    expect(await archive(folder.path)).toMatchObject({ commit: null, done: 2, total: 3 });
    expect(existsSync(join(folder.path, 'ralph-archive', NAME, 'summary.md'))).toBe(true);
  });

  it('works where git ignores it, and then commits only the rest', async () => {
    await using repo = await openProject();
    await repo.write('.git/info/exclude', 'ralph-archive/\n');
    await archive(repo.path);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('ls-files', 'ralph-archive')).toBe('');
  });

  it('has a table of the iterations when that is asked for', async () => {
    await using repo = await openProject();
    await archive(repo.path, { includeLogs: true });
    expect(read(repo, `ralph-archive/${NAME}/logs/summary.csv`)).toBe(
      'iteration,mode,duration_seconds,commit_hash,stories_complete,stories_total,stuck_count,timestamp\n',
    );
  });
});

it('an archive takes a list of stories that is not valid, as it is, and says what is wrong with it', async () => {
  await using repo = await openProject();
  await repo.write('ralph/tasks.json', '{"userStories": [');
  expect(await archive(repo.path, { label: 'half' })).toMatchObject({ label: 'half', done: 0, total: 0 });
  expect(read(repo, 'ralph-archive/2025-06-20-half/tasks.json')).toBe('{"userStories": [');
  expect(read(repo, 'ralph-archive/2025-06-20-half/summary.md')).toMatch(/not a valid list of stories:\n\n- tasks\.json is not valid JSON/);
  expect(repo.git('log', '-1', '--format=%s')).toBe('archive(ralph): half — not a valid list of stories');
  expect(JSON.parse(read(repo, 'ralph/tasks.json'))).toMatchObject({ userStories: [{ passes: false }] });
});

it('an archive of untouched templates is refused, whatever day they were written, and one with a line in progress.txt is not', async () => {
  await using folder = await openThrowAwayFolder();
  await initPlan({ project: folder.path, name: 'x', force: false, nowMs: NOW_MS - 86_400_000 });
  await expect(archive(folder.path)).rejects.toMatchObject({ code: 'no-stories', message: expect.stringContaining('nobody has changed the templates') });
  expect(existsSync(join(folder.path, 'ralph-archive'))).toBe(false);
  appendFileSync(join(folder.path, 'ralph/progress.txt'), 'Learned: the build needs make.\n');
  expect(await archive(folder.path)).toMatchObject({ total: 0 });
});

describe('an archive is refused, without any change,', () => {
  const untouched = (repo: Repo) => {
    expect(existsSync(join(repo.path, 'ralph-archive'))).toBe(false);
    expect(read(repo, 'ralph/prd.md')).toBe('# The PRD, not committed\n');
  };

  it('while a loop is running', async () => {
    await using repo = await openProject();
    const lock = await takeLock(join(repo.path, '.git/ralph-lock'), 'run-1');
    await expect(archive(repo.path)).rejects.toMatchObject({ code: 'workspace-busy', message: expect.stringContaining('run-1') });
    if (lock.kind === 'taken') await lock.release();
    untouched(repo);
  });

  it('while git could not commit it', async () => {
    await using repo = await openProject();
    await repo.write('.git/MERGE_HEAD', repo.git('rev-parse', 'HEAD'));
    await expect(archive(repo.path)).rejects.toMatchObject({ code: 'cannot-commit', exitCode: 4 });
    untouched(repo);
  });

  it('when there is no plan', async () => {
    await using repo = await openProject();
    repo.git('rm', '-q', '-f', 'ralph/tasks.json');
    await expect(archive(repo.path)).rejects.toMatchObject({ code: 'no-stories', exitCode: 2 });
    untouched(repo);
  });

  it('when it would be written through a link', async () => {
    await using repo = await openProject();
    symlinkSync(repo.beside, join(repo.path, 'ralph-archive'));
    await expect(archive(repo.path)).rejects.toMatchObject({ code: 'plan-not-written' });
    expect(readdirSync(repo.beside)).toEqual([]);
  });
});

describe('a killed archive is finished by the next one,', () => {
  const aside = (repo: Repo) => copyToArchive(repo.path, PENDING, { 'summary.md': '# My Shop\n' });

  it('if it was copying', async () => {
    await using repo = await openProject();
    await repo.write('ralph-archive/.partial/prd.md', 'half');
    await archive(repo.path);
    expectArchived(repo);
  });

  it('before the copy had its final name', async () => {
    await using repo = await openProject();
    await repo.write('ralph-archive/.partial/prd.md', 'half');
    await writePending(repo.path, PENDING);
    await archive(repo.path);
    expectArchived(repo);
  });

  it('before the plan was replaced', async () => {
    await using repo = await openProject();
    await aside(repo);
    expect(await archive(repo.path, { label: 'other' })).toMatchObject({ wasBegun: true, label: 'My-Shop' });
    expectArchived(repo);
  });

  it('while the plan was replaced', async () => {
    await using repo = await openProject();
    await aside(repo);
    const [tasks, progress] = [read(repo, 'ralph/tasks.json'), read(repo, 'ralph/progress.txt')];
    await resetPlanFiles(repo.path, PENDING, NOW_MS);
    await repo.write('ralph/tasks.json', tasks);
    await repo.write('ralph/progress.txt', progress);
    await archive(repo.path);
    expectArchived(repo);
  });

  it('before it was committed', async () => {
    await using repo = await openProject();
    await aside(repo);
    await resetPlanFiles(repo.path, PENDING, NOW_MS);
    await archive(repo.path);
    expectArchived(repo);
  });

  it('after it was committed', async () => {
    await using repo = await openProject();
    await archive(repo.path);
    await writePending(repo.path, PENDING);
    expect(await archive(repo.path)).toMatchObject({ commit: null, wasBegun: true });
    expectArchived(repo);
  });

  it('and keeps later changes of the files', async () => {
    await using repo = await openProject();
    await aside(repo);
    await repo.write('ralph/prd.md', '# The next PRD\n');
    await archive(repo.path);
    expect(read(repo, 'ralph/prd.md')).toBe('# The next PRD\n');
    expect(read(repo, `ralph-archive/${NAME}/prd.md`)).toBe('# The PRD, not committed\n');
  });

  it.each(['{', '{"folder": "../../outside"}', JSON.stringify({ ...PENDING, folder: '..' }), JSON.stringify({ ...PENDING, folder: 'a/b' })])(
    'but an invalid record of it is ignored: %s',
    async (text) => {
      await using repo = await openProject();
      await repo.write('ralph-archive/.pending.json', text);
      expect(readPending(repo.path)).toBeNull();
      await archive(repo.path);
      expectArchived(repo);
    },
  );
});
