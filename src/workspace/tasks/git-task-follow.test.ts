import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BranchStage, landed, openBranchStage, opened, PLAN, settled } from '../../../test/support/task-branches-stage.ts';

/** Moves the base one result ahead of main. */
async function oneResult(
  stage: BranchStage,
  files: Readonly<Record<string, string | null>> = { 'readme.txt': 'changed\n', 'one.txt': '1\n' },
): Promise<string> {
  const task = await opened(stage.branches, 'ralph/a.1');
  await stage.put(task.path, files);
  return await landed(stage.branches, (await settled(stage.branches, task)).head, 'a: complete\n');
}

describe("the operator's branch follows the base", () => {
  it('with its files, without hooks, and the second time does nothing', async () => {
    await using stage = await openBranchStage();
    await stage.repo.write('.git/hooks/post-merge', `#!/bin/sh\ntouch '${stage.repo.path}/hooked'\n`, 0o755);
    const commit = await oneResult(stage);
    expect(await stage.branches.follow()).toBeNull();
    expect(await stage.branches.follow()).toBeNull();
    expect([stage.repo.git('rev-parse', 'main'), stage.repo.git('status', '--porcelain')]).toEqual([commit, '']);
    expect(await readFile(join(stage.repo.path, PLAN), 'utf8')).toBe('a: complete\n');
  });

  it('beside uncommitted changes in other files', async () => {
    await using stage = await openBranchStage({ 'other.txt': 'o\n', 'staged.txt': 's\n', 'readme.txt': 'hello\n' });
    const commit = await oneResult(stage);
    await stage.put(stage.repo.path, { 'other.txt': 'mine\n', 'staged.txt': 'mine\n', 'untracked.txt': 'mine\n' });
    stage.repo.git('add', 'staged.txt');
    expect(await stage.branches.follow()).toBeNull();
    expect(stage.repo.git('rev-parse', 'main')).toBe(commit);
    expect(
      stage.repo
        .git('status', '--porcelain')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(['M other.txt', 'M  staged.txt', '?? untracked.txt']);
  });

  it('if it is checked out nowhere, or in another worktree', async () => {
    await using stage = await openBranchStage();
    const commit = await oneResult(stage);
    stage.repo.git('checkout', '-q', '--detach');
    expect(await stage.branches.follow()).toBeNull();
    expect(stage.repo.git('rev-parse', 'main')).toBe(commit);
    stage.repo.git('branch', '-f', 'main', 'HEAD');
    const elsewhere = join(stage.repo.beside, 'elsewhere');
    stage.repo.git('worktree', 'add', '-q', elsewhere, 'main');
    expect(await stage.branches.follow()).toBeNull();
    expect(await readFile(join(elsewhere, 'one.txt'), 'utf8')).toBe('1\n');
    expect(existsSync(join(stage.repo.path, 'one.txt'))).toBe(false);
  });
});

describe('a git that stops half-way, as on a full disk,', () => {
  it('leaves every file and the index as they were, and the branch follows later', async () => {
    await using stage = await openBranchStage({ 'a/gone.txt': 'gone\n', 'mine.txt': 'm\n', 'readme.txt': 'hello\n', [PLAN]: 'a: pending\n' });
    const before = stage.repo.git('rev-parse', 'main');
    const files = { 'a/gone.txt': null, 'b/new.txt': 'new\n', 'readme.txt': 'changed\n', 'zz.txt': 'last\n' };
    const commit = await oneResult(stage, files);
    await stage.repo.write('mine.txt', 'edited\n');
    await stage.repo.write('.git/info/attributes', 'zz.txt filter=broken\n');
    stage.repo.git('config', 'filter.broken.smudge', 'false');
    stage.repo.git('config', 'filter.broken.required', 'true');
    const everything = () => stage.repo.git('ls-files', '-s', '--debug').replaceAll(/ctime: .*/g, '');
    const index = everything();
    expect(await stage.branches.follow()).toMatch(/^main cannot follow in .*; its files are as they were; later: git merge --ff-only refs\/ralph\/base\/main$/);
    expect([stage.repo.git('rev-parse', 'main'), everything()]).toEqual([before, index]);
    expect(stage.repo.git('status', '--porcelain', '--untracked-files=all')).toBe('M mine.txt');
    expect([existsSync(join(stage.repo.path, 'b')), await readFile(join(stage.repo.path, 'a/gone.txt'), 'utf8')]).toEqual([false, 'gone\n']);
    expect(readdirSync(join(stage.repo.path, '.git/ralph')).filter((name) => name.startsWith('follow-'))).toEqual([]);
    stage.repo.git('config', 'filter.broken.smudge', 'cat');
    expect(await stage.branches.follow()).toBeNull();
    expect(stage.repo.git('rev-parse', 'main')).toBe(commit);
  });
});

describe("the operator's current folder", () => {
  it('may be removed by a result, and the next tasks continue', async () => {
    await using stage = await openBranchStage({ 'app/only.txt': 'only\n', 'readme.txt': 'hello\n', [PLAN]: 'a: pending\n' });
    const app = join(stage.repo.path, 'app');
    const branches = stage.again({ cwd: app });
    const task = await opened(branches, 'ralph/a.1');
    await stage.put(task.path, { 'app/only.txt': null });
    const commit = await landed(branches, (await settled(branches, task)).head, 'a: complete\n');
    expect(await branches.follow()).toBeNull();
    expect([existsSync(app), stage.repo.git('rev-parse', 'HEAD')]).toEqual([false, commit]);
    const next = await opened(branches, 'ralph/b.1');
    expect([next.cwd, existsSync(next.cwd)]).toEqual([join(next.path, 'app'), true]);
    await stage.put(next.cwd, { 'new.txt': 'new\n' });
    const last = await landed(branches, (await settled(branches, next)).head, 'b: complete\n', 'b');
    expect(await branches.follow()).toBeNull();
    expect([stage.inCommit(last, 'app/new.txt'), existsSync(join(app, 'new.txt'))]).toEqual(['new\n', true]);
    await branches.close({ path: next.path, branch: 'ralph/b.1', isMerged: true, keepAs: 'refs/ralph/kept/left' });
    await branches[Symbol.asyncDispose]();
    expect(existsSync(next.path)).toBe(false);
  });
});

describe("the operator's branch stays, and nothing is lost", () => {
  const obstacles: Readonly<Record<string, readonly [(stage: BranchStage) => Promise<unknown>, RegExp]>> = {
    'over a file that is not committed': [
      (stage) => stage.repo.write('readme.txt', 'mine\n'),
      /^main cannot follow in .+: what is not committed there would be lost: readme\.txt$/,
    ],
    'over a file that is staged': [
      async (stage) => {
        await stage.repo.write('readme.txt', 'mine\n');
        stage.repo.git('add', '-A');
      },
      /would be lost: readme\.txt$/,
    ],
    'over a new file': [(stage) => stage.repo.write('one.txt', 'mine\n'), /would be lost: one\.txt$/],
    'over an ignored file': [
      async (stage) => {
        await stage.repo.write('.git/info/exclude', 'one.txt\n');
        await stage.repo.write('one.txt', 'mine\n');
      },
      /would be lost: one\.txt$/,
    ],
    'while a merge is under way': [
      async (stage) => {
        stage.repo.git('branch', 'side', 'main');
        stage.repo.git('checkout', '-q', 'side');
        stage.repo.git('commit', '-q', '--allow-empty', '-m', 'side');
        stage.repo.git('checkout', '-q', 'main');
        stage.repo.git('merge', '-q', '--no-ff', '--no-commit', 'side');
      },
      /not concluded your merge/,
    ],
    'while it is rebased': [
      async (stage) => {
        stage.repo.git('commit', '-q', '--allow-empty', '-m', 'to be rebased');
        stage.repo.git('-c', 'sequence.editor=echo break >', 'rebase', '-q', '-i', 'HEAD~1');
        stage.repo.git('update-ref', 'refs/heads/main', 'HEAD');
      },
      /^main is being rebased or bisected in /,
    ],
  };
  it.each(Object.entries(obstacles))('%s', async (_, [obstruct, why]) => {
    await using stage = await openBranchStage();
    const commit = await oneResult(stage);
    await obstruct(stage);
    const [main, seen] = [stage.repo.git('rev-parse', 'main'), stage.repo.git('status', '--porcelain', '--ignored')];
    expect(await stage.branches.follow()).toMatch(why);
    expect([stage.repo.git('rev-parse', 'main'), stage.repo.git('status', '--porcelain', '--ignored')]).toEqual([main, seen]);
    expect(stage.repo.git('rev-parse', 'refs/ralph/base/main')).toBe(commit);
  });

  it('if it is gone', async () => {
    await using stage = await openBranchStage();
    await oneResult(stage);
    stage.repo.git('checkout', '-q', '--detach');
    stage.repo.git('branch', '-q', '-D', 'main');
    expect(await stage.branches.follow()).toBe('the branch main is gone: the results are in refs/ralph/base/main');
  });
});
