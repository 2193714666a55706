import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openSystemClock } from '../../../store/clock-system.ts';
import { openPlanStore } from '../../../plans/open-plan-store.ts';
import { openScope } from '../../../kit/async/scope.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { beginRun } from '../../../runs/begin-run.ts';
import { checkAgent } from '../../../settings/check-agent.ts';
import { checkBudget } from '../../../settings/check-budget.ts';
import { loadSettings } from '../../../settings/load-settings.ts';
import { explaining } from '../../../kit/files/explaining.ts';
import { findPlan } from '../../../plans/find/find-plan.ts';
import { newRunId } from '../../../store/run-home.ts';
import type { FinishedRun, RunOptions } from '../../../runs/run-options.ts';
import { writePlanHome } from '../../../plans/tasks/plan-home.ts';
import { templateOf } from './prompt-for.ts';
import { withWall } from '../../../runs/sandbox/choose-wall.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { baseBranch, refuseAgents, refuseDirt, refuseUncommittedPlan, withGit } from '../../../workspace/check-base.ts';
import { checkedPlan } from './check-plan.ts';
import { excludeLogs } from './exclude-logs.ts';
import { workSettings } from './work-settings.ts';
import type { WorkWish } from './work-wish.ts';

/** Works on the tasks of a plan until none is left that could be. Several may work on the same plan at once. */
export function startWork(options: RunOptions & WorkWish): Promise<FinishedRun> {
  return explaining(async () => {
    await using scope = openScope();
    const cwd = await realpath(options.cwd);
    const workspace = await openWorkspace(cwd, scope);
    const { settings, sources } = await fitSettings({ ...options, cwd }, workspace);
    const clock = openSystemClock();
    const run = newRunId(clock.nowMs());
    await prepareHome(workspace, settings);
    await workspace.holdRun(run);
    return await beginRun({ run, workspace, clock, options, settings, sources }, scope);
  });
}

interface Fit {
  readonly settings: RunSettings;
  readonly sources: readonly string[];
}

/** Refuses what could never be done, while nothing is written yet. */
async function fitSettings(options: RunOptions & WorkWish, workspace: Workspace): Promise<Fit> {
  const { cwd } = options;
  refuseAgents(workspace);
  const git = withGit(workspace);
  const home = git.topLevel;
  const base = await baseBranch(workspace, git);
  const place = await findPlan(home, options.plan === null ? null : resolve(cwd, options.plan));
  const cacheFolder = join(git.commonDir, 'ralph', 'cache');
  const plan = await checkedPlan(openPlanStore({ ...place, top: home, cacheFolder }), place.path, options.filter);
  await refuseUncommittedPlan(workspace, git, place.path);
  await refuseDirt(git, options.allowDirty);
  await templateOf(options.said.template ?? null, cwd);
  const { settings: file, sources } = await loadSettings(cwd);
  const settings = await withWall(workSettings(file, options, { cwd, home, base, plan: place, verify: plan.verify }), workspace);
  if (
    (options.requireProof || file.requireProof) &&
    settings.gates.length === 0 &&
    plan.tasks.some(({ status, verify, outputs }) => status !== 'complete' && verify.length + outputs.length === 0)
  )
    throw noProof();
  checkBudget(settings);
  await checkAgent(settings, workspace);
  return { settings, sources };
}

/** What every worktree, and who asks about tasks in one, must find. */
export async function prepareHome(workspace: Workspace, { work }: RunSettings): Promise<void> {
  await workspace.prepare();
  const { git } = workspace;
  if (git === null || work === null) return;
  await excludeLogs(git.commonDir);
  await writePlanHome(git.commonDir, { plan: work.plan, home: work.home });
}

function noProof(): OperatorError {
  return new OperatorError('proof-required', 'there are tasks that nothing but their claim would prove', {
    hint: 'Give them `verify:` or `output:`, add --check "npm test" for all, or leave --require-proof out.',
    exitCode: 2,
  });
}
