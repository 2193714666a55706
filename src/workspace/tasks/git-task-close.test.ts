import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepo } from '../../../test/support/repo.ts';
import { type BranchStage, landed, openBranchStage, opened, settled } from '../../../test/support/task-branches-stage.ts';
import type { OpenedBranch } from '../../engine/ports/task-branches.ts';

const KEPT = 'refs/ralph/kept/run-1/1-left';
const close = (stage: BranchStage, { path }: OpenedBranch, isMerged = false) => stage.branches.close({ path, branch: 'ralph/a.1', isMerged, keepAs: KEPT });

async function withWork(stage: BranchStage): Promise<{ task: OpenedBranch; head: string }> {
  const task = await opened(stage.branches, 'ralph/a.1');
  await stage.put(task.path, { 'work.txt': 'work\n' });
  return { task, head: (await settled(stage.branches, task)).head };
}

const branchesOf = (stage: BranchStage) => stage.repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');

describe('the worktree of a task is removed', () => {
  it('and its branch stays as long as the base lacks its work', async () => {
    await using stage = await openBranchStage();
    const { task, head } = await withWork(stage);
    expect(await close(stage, task, true)).toEqual({ kind: 'closed', kept: null });
    expect(existsSync(task.path)).toBe(false);
    expect(stage.repo.git('rev-parse', 'ralph/a.1')).toBe(head);
    expect(await close(stage, task, true)).toEqual({ kind: 'closed', kept: null });
  });

  it('and its branch is deleted if the base has its work, even for another process, but later commits stay', async () => {
    await using stage = await openBranchStage();
    const { task, head } = await withWork(stage);
    await landed(stage.branches, head, 'a: complete\n');
    stage.at(task.path, 'commit', '-q', '--allow-empty', '-m', 'late');
    await close(stage, task, true);
    expect(branchesOf(stage)).toEqual(['main', 'ralph/a.1']);
    stage.repo.git('branch', '-f', 'ralph/a.1', head);
    await stage.again().close({ path: task.path, branch: 'ralph/a.1', isMerged: true, keepAs: KEPT });
    expect(branchesOf(stage)).toEqual(['main']);
  });

  it('and uncommitted changes are kept, whether staged, new or in conflict', async () => {
    await using stage = await openBranchStage();
    const { task, head } = await withWork(stage);
    await stage.put(task.path, { 'readme.txt': 'changed\n', 'new.txt': 'new\n', 'work.txt': null });
    stage.at(task.path, 'add', 'readme.txt');
    expect(await close(stage, task)).toEqual({ kind: 'closed', kept: KEPT });
    expect(stage.repo.git('rev-parse', `${KEPT}^`)).toBe(head);
    expect(['readme.txt', 'new.txt', 'work.txt'].map((file) => stage.inCommit(KEPT, file))).toEqual(['changed\n', 'new\n', null]);
    expect(await close(stage, task)).toEqual({ kind: 'closed', kept: KEPT });
  });

  it('if half of it is already gone, without keeping the rest', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    await rm(join(stage.repo.path, '.git/worktrees/a.1/ralph-ready'));
    await rm(join(task.path, 'readme.txt'));
    expect(await close(stage, task)).toEqual({ kind: 'closed', kept: null });
    expect(existsSync(task.path)).toBe(false);
  });

  it('and the files of a nested repository are kept like any other', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    stage.repo.git('init', '-q', join(task.path, 'nested'));
    stage.repo.git('-C', join(task.path, 'nested'), 'commit', '-q', '--allow-empty', '-m', 'inside');
    await stage.put(task.path, { 'nested/a.txt': 'a\n' });
    expect(await close(stage, task)).toEqual({ kind: 'closed', kept: KEPT });
    expect([existsSync(task.path), stage.inCommit(KEPT, 'nested/a.txt')]).toEqual([false, 'a\n']);
  });

  it('in the middle of a merge with conflicts', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    await stage.put(task.path, { 'readme.txt': 'mine\n' });
    await settled(stage.branches, task);
    await stage.repo.write('readme.txt', 'theirs\n');
    stage.repo.git('commit', '-qam', 'by a person');
    await stage.branches.bringBase(task.path);
    expect(await close(stage, task)).toEqual({ kind: 'closed', kept: KEPT });
    expect(stage.inCommit(KEPT, 'readme.txt')).toMatch(/<<<<<<< /);
  });

  it.each<[string, readonly (readonly string[])[]]>([
    ['dropped by a reset', [['reset', '-q', '--hard', 'main']]],
    ['amended', [['commit', '-q', '--amend', '--allow-empty', '-m', 'other']]],
    [
      'left on no branch',
      [
        ['checkout', '-q', '--detach'],
        ['commit', '-q', '--allow-empty', '-m', 'nowhere'],
        ['checkout', '-q', 'ralph/a.1'],
      ],
    ],
    [
      'left with its branch deleted',
      [
        ['checkout', '-q', '--detach'],
        ['branch', '-q', '-D', 'ralph/a.1'],
      ],
    ],
    [
      'left on a detached HEAD',
      [
        ['checkout', '-q', '--detach'],
        ['commit', '-q', '--allow-empty', '-m', 'nowhere'],
      ],
    ],
  ])('and what an agent has committed and %s is under a ref', async (_, words) => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    for (const line of words) stage.at(task.path, ...line);
    expect(await close(stage, task)).toEqual({ kind: 'closed', kept: KEPT });
    expect(stage.repo.git('fsck', '--no-reflogs', '--unreachable', '--no-progress')).toBe('');
  });

  it('whatever an agent has done to its folder', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    await stage.put(task.path, { 'locked/deep/file.txt': 'x\n' });
    await settled(stage.branches, task);
    await chmod(join(task.path, 'locked/deep'), 0o500);
    await chmod(join(task.path, 'locked'), 0o500);
    await rm(join(task.path, '.git'));
    expect(await close(stage, task)).toEqual({ kind: 'closed', kept: null });
    const again = await opened(stage.branches, 'ralph/a.1');
    await rm(again.path, { recursive: true });
    await mkdir(join(stage.repo.beside, 'precious/inside'), { recursive: true });
    await symlink(join(stage.repo.beside, 'precious'), again.path);
    expect(await close(stage, again)).toEqual({ kind: 'closed', kept: null });
    expect(existsSync(join(stage.repo.beside, 'precious/inside'))).toBe(true);
    expect(stage.repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});

describe('the worktree of a task stays, with a reason', () => {
  it('if a submodule has changes or commits, but not if that is untouched', async () => {
    await using library = await openRepo();
    await using stage = await openBranchStage();
    stage.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib');
    stage.repo.git('commit', '-qm', 'with a library');
    const { task } = await withWork(stage);
    stage.at(task.path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    await stage.put(task.path, { 'lib/new.txt': 'new\n' });
    expect(await close(stage, task)).toEqual({ kind: 'trouble', why: `${task.path} stays: what was changed in its submodule lib is not committed there` });
    stage.at(join(task.path, 'lib'), 'add', '-A');
    stage.at(join(task.path, 'lib'), 'commit', '-qm', 'inside');
    await settled(stage.branches, task);
    expect(await close(stage, task)).toEqual({ kind: 'trouble', why: `${task.path} stays: a submodule in it has commits that are nowhere else` });
    stage.at(join(task.path, 'lib'), 'checkout', '-q', library.git('rev-parse', 'HEAD'));
    await settled(stage.branches, task);
    expect(await close(stage, task)).toEqual({ kind: 'closed', kept: null });
  });
});
