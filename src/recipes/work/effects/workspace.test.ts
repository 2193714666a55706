import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planTask, planWith } from '../../../../test/support/json-plan.ts';
import { branchWith, merged, merging } from '../../../../test/support/merging.ts';
import { openWorkStage } from '../../../../test/support/plan-stage.ts';
import { never } from '../../../../test/support/process-request.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { GitProblem, TaskBranches } from '../../../engine/ports/task-branches.ts';
import type { WorkspaceOpened } from '../../../journal/events/work.ts';
import { bringBase, closeWorkspace, openWorkspace } from './workspaces.ts';

const report = async () => undefined;
const trouble = async (): Promise<GitProblem> => ({ kind: 'trouble', why: 'No space left on device' });
const stuck = (branches: TaskBranches): TaskBranches => ({ ...branches, open: trouble, bringBase: trouble, close: trouble });

async function open(ports: PlanPorts, branch = 'ralph/a.1'): Promise<WorkspaceOpened> {
  const effect = { kind: 'open-workspace', key: 'open:3', iteration: 3, attempt: 0, task: 'a', n: 1, branch, from: null } as const;
  return (await openWorkspace.perform(effect, ports, report, never)) as WorkspaceOpened;
}

const close = (ports: PlanPorts, path: string, is_merged: boolean) =>
  closeWorkspace.perform({ kind: 'close-workspace', key: 'close:3', iteration: 3, attempt: 0, path, branch: 'ralph/a.1', is_merged }, ports, report, never);

const bring = (ports: PlanPorts, path: string) =>
  bringBase.perform({ kind: 'bring-base', key: 'base:3.1', iteration: 3, attempt: 1, path }, ports, report, never);

describe('the workspace of a task', () => {
  it('is a worktree with its own branch, and opening it again gives the same', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const opened = await open(stage.ports);
    expect(opened).toMatchObject({ key: 'open:3', iteration: 3, branch: 'ralph/a.1', base: stage.repo.git('rev-parse', 'main'), problem: null });
    expect(stage.repo.git('-C', opened.cwd, 'branch', '--show-current')).toBe('ralph/a.1');
    expect(await open(stage.ports)).toEqual(opened);
  });

  it('says why it cannot be created', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const ports = stage.with({ branches: stuck(stage.crew.branches) });
    expect(await open(ports)).toMatchObject({ path: '', cwd: '', base: '', branch: 'ralph/a.1', problem: 'No space left on device' });
    expect(await bring(ports, '/nowhere')).toMatchObject({ conflicts: [], problem: 'No space left on device' });
    expect(await close(ports, '/nowhere', false)).toMatchObject({ kept: null, problem: 'No space left on device' });
  });

  it('is removed when the task is over, and uncommitted files are kept', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const { path } = await open(stage.ports);
    await branchWith(stage, 'a', { 'work.txt': 'work\n' });
    await writeFile(join(path, 'late.txt'), 'late\n');
    expect(await close(stage.ports, path, false)).toEqual({
      type: 'workspace.closed',
      key: 'close:3',
      iteration: 3,
      kept: 'refs/ralph/kept/run-1/3-left',
      problem: null,
    });
    expect(existsSync(path)).toBe(false);
    expect(stage.repo.git('show', 'refs/ralph/kept/run-1/3-left:late.txt')).toBe('late');
    expect(stage.repo.git('branch', '--list', 'ralph/a.1')).not.toBe('');
    expect(await close(stage.ports, path, false)).toMatchObject({ problem: null });
  });

  it('leaves no branch behind when its work is on the base', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const { path } = await open(stage.ports);
    await merged(merging(planTask('a'), await branchWith(stage, 'a', { 'work.txt': 'work\n' })), stage.ports);
    expect(await close(stage.ports, path, true)).toMatchObject({ kept: null, problem: null });
    expect(stage.repo.git('branch', '--list', 'ralph/a.1')).toBe('');
  });

  it('gets the work of the others, with the conflicts to resolve', async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b')), { 'shared.txt': 'one\n' });
    const { path } = await open(stage.ports);
    await branchWith(stage, 'a', { 'shared.txt': 'two\n' });
    await merged(merging(planTask('b'), await branchWith(stage, 'b', { 'shared.txt': 'three\n' })), stage.ports);
    const base = stage.repo.git('rev-parse', 'refs/ralph/base/main');
    expect(await bring(stage.ports, path)).toEqual({ type: 'base.brought', key: 'base:3.1', iteration: 3, base, conflicts: ['shared.txt'], problem: null });
    expect(await readFile(join(path, 'shared.txt'), 'utf8')).toContain('<<<<<<<');
    expect(await bring(stage.ports, path)).toMatchObject({ base, conflicts: ['shared.txt'], problem: null });
  });

  it('is found after the loop died by opening it again, so that it can be closed', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const effect = { kind: 'open-workspace', key: 'open:3', iteration: 3, attempt: 0, task: 'a', n: 1, branch: 'ralph/a.1', from: null } as const;
    expect(await openWorkspace.find(effect, stage.ports)).toEqual(await open(stage.ports));
  });
});
