import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PlanPorts, WorkPorts } from '../../src/engine/ports/ports.ts';
import type { TaskBranches } from '../../src/engine/ports/task-branches.ts';
import type { Plan } from '../../src/journal/words/plan.ts';
import type { Holder } from '../../src/journal/words/task-register.ts';
import { openPlanNews } from '../../src/plans/graph/plan-news.ts';
import { identityOf, livenessOf } from '../../src/process/identity.ts';
import { openShell } from '../../src/sandbox/command-shell.ts';
import type { WorkSpec } from '../../src/settings/schema/work-spec.ts';
import { openSystemClock } from '../../src/store/clock.ts';
import { openFileRegisters } from '../../src/store/registers-files.ts';
import { openGitCommand } from '../../src/workspace/git/git-command.ts';
import { openTaskBranches } from '../../src/workspace/tasks/open-branches.ts';
import { jsonPlan, PLAN_FILE, planText } from './json-plan.ts';
import { gitEnv } from './opened-git.ts';
import { nobody } from './process-request.ts';
import { OPERATOR, openRepo, type Repo } from './repo.ts';
import { scriptedWorld } from './scripted-world.ts';
import { workSettings, workSpec } from './work-spec.ts';

/** A repository with a plan, and the ports of a run that works on it: real git, real gates, real registers. */
export interface WorkStage {
  readonly repo: Repo;
  readonly ports: PlanPorts;
  readonly crew: WorkPorts;
  /** What the base's own plan says of the tasks. */
  statuses(): Readonly<Record<string, string>>;
  with(over: Partial<WorkPorts>): PlanPorts;
}

type HoldingProcess = NonNullable<Holder['process']>;

function thisProcess(): HoldingProcess {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('we are not there');
  return { host: identity.host, boot_id: identity.bootId, pid: identity.pid, start_time: identity.startTime };
}

/** Gone when the test is finished. */
export async function openWorkStage(plan: Plan, files: Readonly<Record<string, string>> = {}): Promise<WorkStage> {
  const repo = await openRepo({ [PLAN_FILE]: planText(plan), '.gitignore': '.ralph/\n', ...files }, OPERATOR);
  onTestFinished(() => repo[Symbol.asyncDispose]());
  const runFolder = join(repo.beside, 'run');
  await mkdir(runFolder);
  const crew: WorkPorts = {
    plan: jsonPlan(repo.path),
    planIn: jsonPlan,
    registers: openFileRegisters(join(repo.beside, 'registers')),
    branches: branchesOf(repo),
    process: thisProcess(),
    livenessOf: ({ host, boot_id, pid, start_time }) => livenessOf({ host, bootId: boot_id, pid, startTime: start_time }),
    locationOf: async () => 'base',
    withGatesAtStart: (task) => task,
    planNews: openPlanNews(),
    runPromptCommand: null,
    audit: async () => undefined,
  };
  const world = scriptedWorld({ turns: [], gates: [] }, workSettings(specOf(repo)), runFolder);
  const ports: PlanPorts = {
    ...world.ports,
    clock: openSystemClock(),
    command: openShell({ env: { PATH: process.env['PATH'] ?? '' }, guardian: nobody }),
    place: { markerPrefix: 'run-1~1', workspace: repo.path, runFolder, viewFolder: join(repo.path, '.ralph') },
    work: crew,
  };
  const statuses = () => {
    const { tasks } = JSON.parse(repo.git('show', `refs/ralph/base/main:${PLAN_FILE}`)) as Plan;
    return Object.fromEntries(tasks.map(({ id, status }) => [id, status]));
  };
  return { repo, ports, crew, statuses, with: (over) => ({ ...ports, work: { ...crew, ...over } }) };
}

function branchesOf({ path, beside }: Repo): TaskBranches {
  const where = { topLevel: path, cwd: path, worktreesRoot: join(beside, 'worktrees'), mergeFolder: join(beside, 'merge') };
  return openTaskBranches({ git: openGitCommand(path, gitEnv), env: gitEnv, ...where, base: 'main', run: 'run-1', furnish: async () => null });
}

function specOf(repo: Repo): WorkSpec {
  return workSpec({
    plan: { kind: 'task-graph', path: PLAN_FILE },
    home: repo.path,
    pauseMs: 0,
    unprovenTries: 1,
    verifyTimeoutMs: 60_000,
    logs: join(repo.path, 'logs'),
  });
}
