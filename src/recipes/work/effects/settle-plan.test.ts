import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLAN_FILE, planTask, planText, planWith } from '../../../../test/support/json-plan.ts';
import { branchWith, merged, merging } from '../../../../test/support/merging.ts';
import { openWorkStage, type WorkStage } from '../../../../test/support/plan-stage.ts';
import { never } from '../../../../test/support/process-request.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { TaskBranches } from '../../../engine/ports/task-branches.ts';
import type { SettlePlan } from '../../../journal/effects/work-effect.ts';
import type { PlanSettled, WorkspaceOpened } from '../../../journal/events/work.ts';
import type { PlanTask } from '../../../journal/words/plan.ts';
import { settlePlan } from './settle-plan.ts';
import { bringBase, openWorkspace } from './workspaces.ts';

const report = async () => undefined;

type Opened = Pick<WorkspaceOpened, 'path' | 'base'>;

async function openWorktree({ ports }: WorkStage, n = 1, from: string | null = null): Promise<Opened> {
  const effect = { kind: 'open-workspace', key: 'open:7', iteration: 7, attempt: 0, task: 'a', n, branch: `ralph/a.${n}`, from } as const;
  return (await openWorkspace.perform(effect, ports, report, never)) as WorkspaceOpened;
}

async function settled({ path, base }: Opened, ports: PlanPorts, attempt = 1): Promise<PlanSettled> {
  const effect: SettlePlan = { kind: 'settle-plan', clashed: [], key: `settle:7.${attempt}`, iteration: 7, attempt, task: planTask('a'), n: 1, path, base };
  const fact = await settlePlan.perform(effect, ports, report, never);
  if (fact.type !== 'plan.settled') throw new Error(fact.type);
  return fact;
}

const [a, b] = [planTask('a'), planTask('b')];
const complete = (task: PlanTask): PlanTask => ({ ...task, status: 'complete' });
const writePlan = ({ path }: Opened, ...tasks: readonly PlanTask[]) => writeFile(join(path, PLAN_FILE), planText(planWith(...tasks)));

describe('the work that an agent leaves', () => {
  it('is committed under the name of its task, and its changes of the plan are reverted', async () => {
    const stage = await openWorkStage(planWith(a, b));
    const worktree = await openWorktree(stage);
    await writeFile(join(worktree.path, 'work.txt'), 'work\n');
    await writePlan(worktree, complete(a), b, planTask('c'));
    const fact = await settled(worktree, stage.ports);
    expect(fact).toMatchObject({ claimed: true, refused: [], edits: [{ kind: 'add', task: { id: 'c' } }], changed: true, problem: null });
    expect(fact.accepted).toHaveLength(1);
    const git = (...words: readonly string[]) => stage.repo.git('-C', worktree.path, ...words);
    expect(git('rev-parse', 'HEAD', 'HEAD^{tree}').split('\n')).toEqual([fact.head, fact.tree]);
    expect(git('log', '--format=%B', '--reverse', `${worktree.base}..`)).toContain('Task a: Do a\n\nRalph-Run: run-1/7\n');
    expect(git('diff', '--name-only', worktree.base, 'HEAD')).toBe('work.txt');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('is settled again after the loop died, with the claim', async () => {
    const stage = await openWorkStage(planWith(a, b));
    const worktree = await openWorktree(stage);
    await writePlan(worktree, complete(a), complete(b));
    const first = await settled(worktree, stage.ports);
    expect(first).toMatchObject({ claimed: true });
    expect(first.refused).toHaveLength(1);
    expect(await settled(worktree, stage.ports)).toEqual(first);
    expect(await settled(worktree, stage.ports, 2)).toMatchObject({ claimed: false, refused: [] });
  });

  it('is empty when it did nothing', async () => {
    const stage = await openWorkStage(planWith(a));
    const worktree = await openWorktree(stage);
    expect(await settled(worktree, stage.ports)).toMatchObject({ claimed: false, refused: [], edits: [], changed: false, head: worktree.base });
  });

  it('is not blamed for what others did meanwhile at the home of the plan', async () => {
    const stage = await openWorkStage(planWith(a, b));
    const worktree = await openWorktree(stage);
    await stage.repo.write(PLAN_FILE, planText(planWith(a, { ...complete(b), priority: 9 }, planTask('new'))));
    expect(await settled(worktree, stage.ports)).toMatchObject({ claimed: false, refused: [], accepted: [], edits: [] });
    await stage.repo.write(PLAN_FILE, '{ "tasks": [');
    await writePlan(worktree, complete(a), b);
    expect(await settled(worktree, stage.ports, 2)).toMatchObject({ claimed: true, refused: [] });
  });

  it('is not blamed for what others merged since the branch that it continues began', async () => {
    const stage = await openWorkStage(planWith(a, b));
    await branchWith(stage, 'a', { 'work.txt': 'half of it\n' });
    await merged(merging(b, await branchWith(stage, 'b', { 'b.txt': 'b\n' })), stage.ports);
    const worktree = await openWorktree(stage, 2, 'ralph/a.1');
    expect(worktree.base).toBe(stage.repo.git('rev-parse', 'refs/ralph/base/main'));
    expect(await settled(worktree, stage.ports)).toMatchObject({ claimed: false, refused: [], accepted: [], edits: [], changed: true });
  });

  it('is not blamed for what the base brought in for a conflict', async () => {
    const stage = await openWorkStage(planWith(a, b), { 'shared.txt': 'one\n' });
    const worktree = await openWorktree(stage);
    await branchWith(stage, 'a', { 'shared.txt': 'two\n' });
    await merged(merging(b, await branchWith(stage, 'b', { 'shared.txt': 'three\n' })), stage.ports);
    await bringBase.perform({ kind: 'bring-base', key: 'base:7.1', iteration: 7, attempt: 1, path: worktree.path }, stage.ports, report, never);
    await writeFile(join(worktree.path, 'shared.txt'), 'two and three\n');
    stage.repo.git('-C', worktree.path, 'add', 'shared.txt');
    const fact = await settled(worktree, stage.ports, 2);
    expect(fact).toMatchObject({ claimed: false, refused: [], edits: [], changed: true, problem: null });
    expect(await merged(merging(a, fact.head), stage.ports)).toMatchObject({ result: 'merged', left_behind: null });
    expect(stage.statuses()).toEqual({ a: 'complete', b: 'complete' });
  });

  it('is refused when it deleted the plan or left it unreadable, and the plan is reverted', async () => {
    const stage = await openWorkStage(planWith(a));
    const worktree = await openWorktree(stage);
    await rm(join(worktree.path, PLAN_FILE));
    expect((await settled(worktree, stage.ports)).refused).toHaveLength(1);
    await writeFile(join(worktree.path, PLAN_FILE), 'nonsense');
    expect((await settled(worktree, stage.ports, 2)).refused).toHaveLength(1);
    expect((await stage.crew.planIn(worktree.path).read())?.plan?.tasks).toEqual([a]);
  });

  it('may contain a claim in an uncommitted plan, and nothing else', async () => {
    const stage = await openWorkStage(planWith(a, b));
    stage.repo.git('rm', '-q', '--cached', PLAN_FILE);
    stage.repo.git('commit', '-q', '-m', 'the plan is mine alone');
    const worktree = await openWorktree(stage);
    expect(await settled(worktree, stage.ports)).toMatchObject({ claimed: false, refused: [] });
    await writePlan(worktree, complete(a), complete(b), planTask('c'));
    expect(await settled(worktree, stage.ports, 2)).toMatchObject({ claimed: true, refused: [], edits: [], changed: false });
  });

  it('counts as claimed when the base already calls the task complete', async () => {
    const stage = await openWorkStage(planWith(complete(a)));
    expect(await settled(await openWorktree(stage), stage.ports)).toMatchObject({ claimed: true, changed: false });
  });

  it("is reported in git's words when git fails", async () => {
    const stage = await openWorkStage(planWith(a));
    const branches: TaskBranches = { ...stage.crew.branches, settle: async () => ({ kind: 'trouble', why: 'a.txt is not resolved' }) };
    const worktree = await openWorktree(stage);
    expect(await settled(worktree, stage.with({ branches }))).toMatchObject({ claimed: false, head: '', problem: 'a.txt is not resolved' });
  });
});
