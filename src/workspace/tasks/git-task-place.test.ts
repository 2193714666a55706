import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BranchStage, landed, openBranchStage, opened, settled } from '../../../test/support/task-branches-stage.ts';

/** Removes the operator's name from the settings, and git may not guess it. */
function withoutName({ repo }: BranchStage): void {
  for (const key of ['user.name', 'user.email']) repo.git('config', '--unset', key);
  repo.git('config', 'user.useConfigOnly', 'true');
}

describe('the name of the files of a worktree', () => {
  it('changes with every change of a file and with every commit, and with nothing else', async () => {
    await using stage = await openBranchStage();
    const { path } = await opened(stage.branches, 'ralph/a.1');
    await opened(stage.branches, 'ralph/b.1');
    const name = () => stage.branches.filesOf(path);
    const names = [await name()];
    const changes = [{ 'readme.txt': 'one\n' }, { 'readme.txt': 'two\n' }, { 'below/new.txt': 'three\n' }, { 'below/new.txt': 'four\n' }];
    for (const files of changes) {
      await stage.put(path, files);
      names.push(await name());
    }
    stage.at(path, 'add', '-A');
    stage.at(path, 'commit', '-q', '-m', 'all of it');
    names.push(await name());
    expect(names).toEqual(names.map(() => expect.stringMatching(/^[0-9a-f]{40}/)));
    expect(new Set(names).size).toBe(names.length);

    await stage.put(join(stage.root, 'b.1'), { 'readme.txt': 'of another task\n' });
    expect([await name(), await stage.branches.filesOf(join(path, 'below'))]).toEqual([names.at(-1), names.at(-1)]);
  });

  it('is unknown where no worktree is', async () => {
    await using stage = await openBranchStage();
    expect(await stage.branches.filesOf(join(stage.root, 'nowhere'))).toBeNull();
  });
});

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
