import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BranchStage, landed, openBranchStage, opened, PLAN, settled } from '../../../test/support/task-branches-stage.ts';
import type { OpenedBranch } from '../../engine/ports/task-branches.ts';

/** A holder that has committed something, was killed, and has left uncommitted files. */
async function killedHolder(stage: BranchStage): Promise<OpenedBranch> {
  const first = await opened(stage.branches, 'ralph/a.1');
  await stage.put(first.path, { 'done.txt': 'done\n' });
  stage.at(first.path, 'add', '-A');
  stage.at(first.path, 'commit', '-qm', 'done');
  await stage.put(first.path, { 'half.txt': 'half\n', 'readme.txt': 'changed\n', [PLAN]: 'a: complete\n' });
  return first;
}

describe('a task that is taken over from a killed holder', () => {
  it('continues with everything in its worktree except the plan, and that worktree is removed', async () => {
    await using stage = await openBranchStage();
    const first = await killedHolder(stage);
    const second = await opened(stage.again({ run: 'run-2' }), 'ralph/a.2', 'ralph/a.1');
    expect(['done.txt', 'half.txt', 'readme.txt', PLAN].map((file) => stage.inCommit('ralph/a.2', file))).toEqual([
      'done\n',
      'half\n',
      'changed\n',
      'a: pending\nb: pending\n',
    ]);
    expect(stage.at(second.path, 'status', '--porcelain')).toBe('');
    expect(existsSync(first.path)).toBe(false);
    expect(stage.repo.git('rev-parse', 'ralph/a.1')).toBe(stage.repo.git('rev-parse', 'ralph/a.2'));
    expect(stage.repo.git('log', '-1', '--format=%(trailers:key=Ralph-Run,valueonly)', 'ralph/a.1')).toBe('run-2');
  });

  it('starts from the base if the holder has done nothing', async () => {
    await using stage = await openBranchStage();
    const first = await opened(stage.branches, 'ralph/a.1');
    stage.repo.git('commit', '-q', '--allow-empty', '-m', 'by a person');
    const second = await opened(stage.branches, 'ralph/a.2', 'ralph/a.1');
    expect(stage.at(second.path, 'rev-parse', 'HEAD')).toBe(stage.repo.git('rev-parse', 'main'));
    expect([existsSync(first.path), stage.repo.git('branch', '--list', 'ralph/a.1')]).toEqual([false, '']);
  });

  it('sees what others have done since, and is deleted with the earlier branches once it is on the base', async () => {
    await using stage = await openBranchStage();
    await killedHolder(stage);
    await stage.repo.write('other.txt', 'other\n');
    stage.repo.git('add', '-A');
    stage.repo.git('commit', '-qm', 'by a person');
    const second = await opened(stage.branches, 'ralph/a.2', 'ralph/a.1');
    expect([existsSync(join(second.path, 'other.txt')), existsSync(join(second.path, 'half.txt'))]).toEqual([true, true]);
    await landed(stage.branches, (await settled(stage.branches, second)).head, 'a: complete\n');
    await stage.branches.close({ path: second.path, branch: 'ralph/a.2', isMerged: true, keepAs: 'refs/ralph/kept/left' });
    expect(stage.repo.git('branch', '--list', 'ralph/*')).toBe('');
  });

  it('keeps what the holder left half-way through a merge', async () => {
    await using stage = await openBranchStage();
    const first = await killedHolder(stage);
    await stage.put(first.path, { [PLAN]: 'a: pending\nb: pending\n' });
    const { head } = await settled(stage.branches, first);
    await stage.repo.write('readme.txt', 'theirs\n');
    stage.repo.git('commit', '-qam', 'by a person');
    await stage.branches.bringBase(first.path);
    const second = await opened(stage.again({ run: 'run-2' }), 'ralph/a.2', 'ralph/a.1');
    expect(stage.at(second.path, 'rev-parse', 'HEAD')).toBe(head);
    expect(stage.inCommit('refs/ralph/kept/run-2/a.1-left', 'readme.txt')).toContain('<<<<<<<');
    expect(existsSync(first.path)).toBe(false);
  });

  it('leaves what cannot be kept where it is, and starts with the commits', async () => {
    await using stage = await openBranchStage();
    const first = await killedHolder(stage);
    await rm(join(first.path, 'readme.txt'));
    execFileSync('mkfifo', [join(first.path, 'readme.txt')]);
    const second = await opened(stage.branches, 'ralph/a.2', 'ralph/a.1');
    expect(stage.inCommit(stage.at(second.path, 'rev-parse', 'HEAD'), 'done.txt')).toBe('done\n');
    expect(existsSync(join(first.path, 'half.txt'))).toBe(true);
  });

  it('works even if the folder is gone', async () => {
    await using stage = await openBranchStage();
    const first = await killedHolder(stage);
    await rm(first.path, { recursive: true });
    const second = await opened(stage.branches, 'ralph/a.2', 'ralph/a.1');
    expect(stage.inCommit(stage.at(second.path, 'rev-parse', 'HEAD'), 'done.txt')).toBe('done\n');
    expect(stage.repo.git('worktree', 'list')).not.toContain('a.1 ');
  });

  it('is taken over only once, and opened again unchanged', async () => {
    await using stage = await openBranchStage();
    await killedHolder(stage);
    const second = await opened(stage.branches, 'ralph/a.2', 'ralph/a.1');
    await stage.put(second.path, { 'more.txt': 'more\n' });
    expect(await opened(stage.again(), 'ralph/a.2', 'ralph/a.1')).toEqual(second);
    expect(existsSync(join(second.path, 'more.txt'))).toBe(true);
  });
});
