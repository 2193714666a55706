import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { names, openCommittingStage, works } from '../../support/committing-stage.ts';
import { makeFightingBranches } from '../../support/fighting-branches.ts';
import type { Repo } from '../../support/repo.ts';

/** Stops at a conflict; its output is ignored. */
const begin = ({ path }: Repo, ...args: readonly string[]) => void spawnSync('git', args, { cwd: path, stdio: 'ignore' });

const obstacles: readonly (readonly [name: string, prepare: (repo: Repo) => Promise<void> | void, said: RegExp])[] = [
  ['a rebase under way', (repo) => begin(repo, 'rebase', '-q', 'fight'), /a rebase is under way/],
  ['a merge under way', (repo) => begin(repo, 'merge', '-q', 'fight'), /a merge is under way/],
  ['a cherry-pick under way', (repo) => begin(repo, 'cherry-pick', 'fight'), /a cherry-pick is under way/],
  ['a missing author', (repo) => void repo.git('config', '--unset', 'user.email'), /git knows no author/],
];

describe.concurrent('SCM tasks are refused at the start, with one line and exit 4, for', () => {
  it.each(obstacles)('%s', async (_name, prepare, said) => {
    await using stage = await openCommittingStage([works, names('never')]);
    await makeFightingBranches(stage.repo);
    stage.repo.git('config', 'user.useConfigOnly', 'true');
    await prepare(stage.repo);
    const before = stage.repo.git('status', '--porcelain=v2', '--branch');
    const run = await stage.run();

    expect(run.code).toBe(4);
    expect(run.stderr).toMatch(new RegExp(`^error: .*${said.source}`));
    expect(run.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect(stage.calls()).toEqual([]);
    expect(stage.repo.git('status', '--porcelain=v2', '--branch')).toBe(before);
  });

  it('a missing command', async () => {
    await using stage = await openCommittingStage([works], { settings: { scm: { command: 'no-such-scm', tasks: ['commit'] } } });
    const run = await stage.run();

    expect(run.code).toBe(4);
    expect(run.stderr).toMatch(/^error: the SCM command "no-such-scm" was not found/);
    expect(stage.calls()).toEqual([]);
  });

  it('a folder outside of a repository', async () => {
    await using stage = await openCommittingStage([works]);
    const bare = join(stage.repo.beside, 'bare');
    await mkdir(join(bare, '.ralph'), { recursive: true });
    await writeFile(join(bare, '.ralph/settings.json'), JSON.stringify({ scm: { command: 'git', tasks: ['commit'] } }));
    const run = await stage.ralphIn(bare, 'run', '-p', 'Do the work.', '--agent', 'claude', '--json');

    expect(run.code).toBe(4);
    expect(run.stderr).toMatch(/^error: .*git repository/);
    expect(stage.calls()).toEqual([]);
  });
});

describe.concurrent('settings are refused with exit 2 for', () => {
  it.each([
    ['tasks without a command', { tasks: ['commit'] }, /scm\.command must be configured when scm\.tasks is non-empty/],
    ['an open quote in a task', { command: 'git', tasks: ['commit -m "'] }, /scm\.tasks\[0\] has an open ": commit -m "/],
    ['an empty task', { command: 'git', tasks: ['  '] }, /scm\.tasks/],
  ])('%s', async (_name, scm, said) => {
    await using stage = await openCommittingStage([works], { settings: { scm } });
    const run = await stage.run();

    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(said);
    expect(stage.calls()).toEqual([]);
  });
});
