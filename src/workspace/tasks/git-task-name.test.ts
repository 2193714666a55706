import { describe, expect, it } from 'vitest';
import { type BranchStage, landed, openBranchStage, opened, settled } from '../../../test/support/task-branches-stage.ts';

/** Removes the operator's name from the settings, and git may not guess it. */
function withoutName({ repo }: BranchStage): void {
  for (const key of ['user.name', 'user.email']) repo.git('config', '--unset', key);
  repo.git('config', 'user.useConfigOnly', 'true');
}

describe('an operator without a name in git', () => {
  it("has work committed, merged, brought, kept and followed in Ralph's name", async () => {
    await using stage = await openBranchStage();
    withoutName(stage);
    const { branches, repo } = stage;
    const [one, two, three] = [await opened(branches, 'ralph/a.1'), await opened(branches, 'ralph/b.1'), await opened(branches, 'ralph/c.1')];
    await stage.put(one.path, { 'one.txt': '1\n' });
    await stage.put(two.path, { 'two.txt': '2\n' });
    await stage.put(three.path, { 'three.txt': '3\n' });
    const first = await landed(branches, (await settled(branches, one)).head, 'a: complete\n', 'a');
    const { head } = await settled(branches, two);
    expect(await branches.bringBase(two.path)).toEqual({ kind: 'brought', base: first, conflicts: [] });
    repo.git('commit', '-q', '--allow-empty', '-m', 'by a person beside it');
    const second = await landed(branches, head, 'b: complete\n', 'b');
    expect(await branches.follow()).toBeNull();
    expect(repo.git('log', '--format=%an %cn', `${one.base}..${second}`).split('\n').sort()).toEqual([...Array(5).fill('ralph ralph'), 't t']);
    await branches.close({ path: three.path, branch: 'ralph/c.1', isMerged: false, keepAs: 'refs/ralph/kept/left' });
    expect(repo.git('log', '-1', '--format=%an', 'refs/ralph/kept/left')).toBe('ralph');
  });

  it('with a name keeps it as the author', async () => {
    await using stage = await openBranchStage();
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'one.txt': '1\n' });
    const commit = await landed(stage.branches, (await settled(stage.branches, task)).head, 'a: complete\n');
    expect(stage.repo.git('log', '--format=%an', `${task.base}..${commit}`).split('\n')).toEqual(['Operator', 'Operator']);
  });
});
