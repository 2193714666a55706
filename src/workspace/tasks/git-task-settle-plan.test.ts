import { describe, expect, it } from 'vitest';
import { type BranchStage, openBranchStage, opened, PLAN, settled } from '../../../test/support/task-branches-stage.ts';
import type { OpenedBranch } from '../../engine/ports/task-branches.ts';

async function withWork(stage: BranchStage): Promise<{ task: OpenedBranch; work: string }> {
  const task = await opened(stage.branches, 'ralph/a.1');
  await stage.put(task.path, { 'work.txt': 'work\n' });
  stage.at(task.path, 'add', '-A');
  stage.at(task.path, 'commit', '-qm', 'work');
  return { task, work: stage.at(task.path, 'rev-parse', 'HEAD') };
}

describe('changes of the plan are removed from a branch', () => {
  it.each([
    ['deleted', { [PLAN]: null }],
    ['made a folder', { [PLAN]: null, [`${PLAN}/inside.txt`]: 'inside\n' }],
  ])('if it was %s, even in a commit', async (_, files) => {
    await using stage = await openBranchStage();
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'new.txt': 'new\n', ...files });
    stage.at(task.path, 'add', '-A');
    stage.at(task.path, 'commit', '-qm', 'by the agent');
    const { head } = await settled(stage.branches, task);
    expect([stage.inCommit(head, PLAN), stage.inCommit(head, 'new.txt')]).toEqual(['a: pending\nb: pending\n', 'new\n']);
    expect(stage.at(task.path, 'status', '--porcelain')).toBe('');
  });

  it('only if the branch itself has changed it, not for what others did on the base', async () => {
    await using stage = await openBranchStage();
    const { task, work } = await withWork(stage);
    await stage.put(stage.repo.path, { [PLAN]: 'a: pending\nb: complete\n' });
    stage.repo.git('commit', '-qam', 'b is done');
    const later = { ...task, base: stage.repo.git('rev-parse', 'main') };
    expect(await settled(stage.branches, later)).toMatchObject({ head: work, changed: true });
    await stage.put(task.path, { [PLAN]: 'a: complete\nb: pending\n' });
    const { head } = await settled(stage.branches, later);
    expect([stage.inCommit(head, PLAN), stage.repo.git('diff', '--name-only', `${later.base}...${head}`)]).toEqual(['a: pending\nb: pending\n', 'work.txt']);
    expect(await settled(stage.branches, later)).toMatchObject({ head });
    stage.at(task.path, 'reset', '-q', '--hard', task.base);
    expect(await settled(stage.branches, later)).toMatchObject({ changed: false });
  });

  it("and it equals the base's on an unrelated history", async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    stage.at(task.path, 'checkout', '-q', '--orphan', 'own');
    await stage.put(task.path, { [PLAN]: 'mine\n' });
    stage.at(task.path, 'add', '-A');
    stage.at(task.path, 'commit', '-qm', 'from nothing');
    const { head, changed } = await settled(stage.branches, task);
    expect([stage.inCommit(head, PLAN), stage.inCommit(head, 'work.txt'), changed]).toEqual(['a: pending\nb: pending\n', 'work\n', true]);
  });

  it('if the base has none', async () => {
    await using stage = await openBranchStage({ 'readme.txt': 'hello\n' });
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { [PLAN]: 'mine\n', 'new.txt': 'new\n' });
    const { head } = await settled(stage.branches, task);
    expect([stage.inCommit(head, PLAN), stage.inCommit(head, 'new.txt')]).toEqual([null, 'new\n']);
  });
});
