import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BranchStage, expectKind, openBranchStage, opened, PLAN, PLAN_SPECS } from '../../../test/support/task-branches-stage.ts';
import type { OpenedBranch } from '../../engine/ports/task-branches.ts';

describe('a protected file of a task', () => {
  const protect = { patterns: ['tests/**'], keptRef: 'refs/ralph/kept/run-1/1.1' };
  const files = { 'tests/a.txt': 'a\n', 'src/x.txt': 'x\n', [PLAN]: 'a: pending\n' };
  const settleProtected = async (stage: BranchStage, { path, base }: OpenedBranch, patterns = protect.patterns) =>
    expectKind(await stage.branches.settle(path, { message: 'm', base, pathspecs: PLAN_SPECS, protect: { ...protect, patterns } }), 'settled');

  it.each([
    ['uncommitted', async () => undefined],
    ['committed', async (stage: BranchStage, path: string) => void stage.at(path, 'commit', '-qam', 'cheated')],
    ['hidden from git', async (stage: BranchStage, path: string) => void stage.at(path, 'update-index', '--skip-worktree', 'tests/a.txt')],
  ])('is reverted if its change is %s, and everything else stays', async (_name, then) => {
    await using stage = await openBranchStage(files);
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'tests/a.txt': 'evil\n', 'tests/new.txt': 'evil\n', 'src/x.txt': 'worked\n' });
    await then(stage, task.path);
    const { head, restored } = await settleProtected(stage, task);
    expect(restored).toEqual(['tests/a.txt', 'tests/new.txt']);
    expect(stage.inCommit(head, 'tests/a.txt')).toBe('a\n');
    expect(stage.inCommit(head, 'tests/new.txt')).toBeNull();
    expect(stage.inCommit(head, 'src/x.txt')).toBe('worked\n');
    expect(stage.repo.git('show', `${protect.keptRef}:tests/a.txt`)).toBe('evil');
    expect(existsSync(join(task.path, 'tests/new.txt'))).toBe(false);
    expect(await settleProtected(stage, task)).toMatchObject({ head, restored: [] });
  });

  it('is not the plan, which an agent may edit', async () => {
    await using stage = await openBranchStage(files);
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { [PLAN]: 'a: complete\n' });
    expect(await settleProtected(stage, task, ['**'])).toMatchObject({ restored: [] });
  });

  it('may be changed by the operator meanwhile, and the agent is not blamed', async () => {
    await using stage = await openBranchStage(files);
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'src/x.txt': 'worked\n' });
    await settleProtected(stage, task);
    await stage.repo.write('tests/a.txt', 'better\n');
    stage.repo.git('commit', '-qam', 'better');
    expectKind(await stage.branches.bringBase(task.path), 'brought');
    const { head, restored } = await settleProtected(stage, task);
    expect(restored).toEqual([]);
    expect(stage.inCommit(head, 'tests/a.txt')).toBe('better\n');
  });
});
