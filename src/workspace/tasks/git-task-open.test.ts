import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { never, openBranchStage, opened, settled } from '../../../test/support/task-branches-stage.ts';
import { type Git, openGitCommand } from '../git/git-command.ts';

const ROUNDS = 3;

describe('a task is opened', () => {
  it("from the base, in the folder that corresponds to the operator's, and set up once", async () => {
    await using stage = await openBranchStage({ 'app/main.txt': 'app\n' });
    const furnished: unknown[] = [];
    const furnish = async (made: { path: string; cwd: string }) => {
      furnished.push(made);
      return null;
    };
    const branches = stage.again({ cwd: join(stage.repo.path, 'app'), furnish });
    const task = await opened(branches, 'ralph/a.1');
    expect(task.cwd).toBe(join(task.path, 'app'));
    expect(await opened(branches, 'ralph/a.1')).toEqual(task);
    expect(furnished).toEqual([{ path: task.path, cwd: task.cwd }]);
    expect(stage.at(task.path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('ralph/a.1');
  });

  it('again by another process, with all committed and uncommitted files', async () => {
    await using stage = await openBranchStage();
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'one.txt': 'one\n' });
    const { head } = await settled(stage.branches, task);
    await stage.put(task.path, { 'two.txt': 'two\n' });
    expect(await opened(stage.again(), 'ralph/a.1')).toEqual({ ...task, head });
    expect(stage.at(task.path, 'rev-parse', 'HEAD')).toBe(head);
    expect(await readFile(join(task.path, 'two.txt'), 'utf8')).toBe('two\n');
  });

  it("from an earlier holder's commits, and from the base if that branch is gone", async () => {
    await using stage = await openBranchStage();
    const first = await opened(stage.branches, 'ralph/a.1');
    await stage.put(first.path, { 'one.txt': 'one\n' });
    const { head } = await settled(stage.branches, first);
    const second = await opened(stage.branches, 'ralph/a.2', 'ralph/a.1');
    expect(stage.at(second.path, 'rev-parse', 'HEAD')).toBe(head);
    expect(second.base).toBe(first.base);
    const third = await opened(stage.branches, 'ralph/a.3', 'ralph/gone.1');
    expect(stage.at(third.path, 'rev-parse', 'HEAD')).toBe(first.base);
  });

  it('from what the operator has committed meanwhile', async () => {
    await using stage = await openBranchStage();
    await opened(stage.branches, 'ralph/a.1');
    stage.repo.git('commit', '-q', '--allow-empty', '-m', 'by a person');
    const next = await opened(stage.branches, 'ralph/b.1');
    expect(next.base).toBe(stage.repo.git('rev-parse', 'main'));
  });

  it("from the operator's branch after an amended commit", async () => {
    await using stage = await openBranchStage();
    stage.repo.git('commit', '-q', '--allow-empty', '-m', 'to be amended');
    await opened(stage.branches, 'ralph/a.1');
    stage.repo.git('commit', '-q', '--amend', '--allow-empty', '-m', 'amended');
    const next = await opened(stage.branches, 'ralph/b.1');
    expect(next.base).toBe(stage.repo.git('rev-parse', 'main'));
  });

  it('by many workers at once, of one process and of several, again and again', async () => {
    await using stage = await openBranchStage();
    const crews = [stage.branches, stage.again({ run: 'run-2' })];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const names = Array.from({ length: 8 }, (_, index) => `ralph/t${index}.${round}`);
      const tasks = await Promise.all(names.map((name, index) => opened(crews[index % 2] ?? stage.branches, name)));
      for (const [index, { path }] of tasks.entries()) expect(stage.at(path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(names[index]);
      const requests = tasks.map(({ path }, index) => ({ path, branch: names[index] ?? '', isMerged: false, keepAs: `refs/ralph/kept/${index}` }));
      await Promise.all(requests.map((request) => stage.branches.close(request)));
    }
  }, 600_000);

  it('after a failed try that made the branch and then met a lock', async () => {
    await using stage = await openBranchStage();
    const git = openGitCommand(stage.repo.path, gitEnv);
    let hasFailed = false;
    const unlucky: Git = async (args, own) => {
      const answer = await git(args, own);
      if (hasFailed || !args.includes('-b')) return answer;
      hasFailed = true;
      await git(['worktree', 'remove', '--force', join(stage.root, 'a.1')]);
      return { ...answer, code: 128, stderr: `fatal: Unable to create '${stage.repo.path}/.git/config.lock': File exists.` };
    };
    const task = await opened(stage.again({ git: unlucky }), 'ralph/a.1');
    expect([hasFailed, stage.at(task.path, 'rev-parse', '--abbrev-ref', 'HEAD')]).toEqual([true, 'ralph/a.1']);
  });
});

describe('leftovers of a dead git are no obstacle', () => {
  const leftovers: Readonly<Record<string, (stage: { path: string; admin: string }) => Promise<unknown>>> = {
    'a folder without a worktree': ({ path }) => mkdir(join(path, 'half'), { recursive: true }),
    'a worktree that git has only begun': async ({ admin }) => {
      await mkdir(admin, { recursive: true });
      await writeFile(join(admin, 'locked'), 'initializing');
    },
    'a link in its place': ({ path, admin }) => symlink(join(admin, '..', '..'), path),
  };
  it.each(Object.entries(leftovers))('%s', async (_, leave) => {
    await using stage = await openBranchStage();
    await mkdir(stage.root, { recursive: true });
    await leave({ path: join(stage.root, 'a.1'), admin: join(stage.repo.path, '.git/worktrees/a.1') });
    const task = await opened(stage.branches, 'ralph/a.1');
    expect(stage.at(task.path, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(stage.repo.path, '.git/HEAD'))).toBe(true);
    expect(stage.repo.git('worktree', 'list', '--porcelain')).not.toMatch(/locked|prunable/);
  });

  it('a worktree that was never set up is made again, and its branch stays', async () => {
    await using stage = await openBranchStage();
    const half = stage.again({ furnish: () => new Promise(() => undefined) });
    void half.open({ branch: 'ralph/a.1', from: null, pathspecs: [] }, never);
    const path = join(stage.root, 'a.1');
    await expect
      .poll(() => existsSync(join(path, 'readme.txt')) && !existsSync(join(stage.repo.path, '.git/worktrees/a.1/locked')), { timeout: 20_000 })
      .toBe(true);
    stage.at(path, 'commit', '-q', '--allow-empty', '-m', 'on the branch');
    const head = stage.at(path, 'rev-parse', 'HEAD');
    await stage.put(path, { 'half-furnished': '' });
    const task = await opened(stage.branches, 'ralph/a.1');
    expect(stage.at(task.path, 'rev-parse', 'HEAD')).toBe(head);
    expect(existsSync(join(path, 'half-furnished'))).toBe(false);
  });

  it("locks of Ralph's own refs and worktrees", async () => {
    await using stage = await openBranchStage();
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'one.txt': 'one\n' });
    for (const lock of ['worktrees/a.1/index.lock', 'refs/heads/ralph/a.1.lock']) await writeFile(join(stage.repo.path, '.git', lock), '');
    const { head } = await settled(stage.branches, task);
    expect(stage.repo.git('rev-parse', 'ralph/a.1')).toBe(head);
  }, 60_000);

  it('a removed folder comes back with its committed files', async () => {
    await using stage = await openBranchStage();
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'one.txt': 'one\n' });
    await settled(stage.branches, task);
    await rm(task.path, { recursive: true });
    await opened(stage.again(), 'ralph/a.1');
    expect(stage.at(task.path, 'status', '--porcelain')).toBe('');
    expect(await readFile(join(task.path, 'one.txt'), 'utf8')).toBe('one\n');
  });
});

describe('a task is not opened', () => {
  it('if its setup fails: the next try starts again', async () => {
    await using stage = await openBranchStage();
    const poor = stage.again({ furnish: async () => 'worktree.setup failed' });
    expect(await poor.open({ branch: 'ralph/a.1', from: null, pathspecs: [] }, never)).toEqual({ kind: 'trouble', why: 'worktree.setup failed' });
    await opened(stage.branches, 'ralph/a.1');
  });

  it('if the base does not exist, or its branch is used elsewhere', async () => {
    await using stage = await openBranchStage();
    const lost = await stage.again({ base: 'no-such' }).open({ branch: 'ralph/a.1', from: null, pathspecs: [] }, never);
    expect(lost).toEqual({ kind: 'trouble', why: 'the branch no-such does not exist, or has no commit yet' });
    stage.repo.git('checkout', '-q', '-b', 'ralph/a.1');
    stage.repo.git('branch', '-q', 'main', '-f', 'HEAD');
    const used = await stage.branches.open({ branch: 'ralph/a.1', from: null, pathspecs: [] }, never);
    expect(used).toMatchObject({ kind: 'trouble', why: expect.stringMatching(/already (checked out|used)/) });
    expect(stage.repo.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('ralph/a.1');
  });

  it('after an abort, which is not a bug', async () => {
    await using stage = await openBranchStage();
    expect(await stage.branches.open({ branch: 'ralph/a.1', from: null, pathspecs: [] }, AbortSignal.abort())).toEqual({
      kind: 'trouble',
      why: 'the run was stopped',
    });
  });
});
