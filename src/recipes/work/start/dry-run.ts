import { join } from 'node:path';
import { openDescribedAgent } from '../../../agents/open-agent.ts';
import type { PlanTask } from '../../../journal/words/plan.ts';
import { openScope } from '../../../kit/async/scope.ts';
import { pathExists } from '../../../kit/files/read.ts';
import { withOperatorErrors } from '../../../kit/pure/operator-error.ts';
import { orderOf, type TaskOrder } from '../../../plans/graph/task-order.ts';
import { taskBranch } from '../../../plans/graph/task-slug.ts';
import { openTasks } from '../../../plans/tasks/open-tasks.ts';
import { readWorkableTasks, type TasksSnapshot } from '../../../plans/tasks/read-tasks.ts';
import type { RunOptions } from '../../../runs/run-options.ts';
import { openWorkspace } from '../../../workspace/workspace.ts';
import type { WorkSettings } from '../task-progress.ts';
import { buildTaskPrompt, filesFirst } from '../task-prompt.ts';
import { templateOf } from './prompt-for.ts';
import { checkedSettings } from './start-work.ts';
import type { WorkRequest } from './work-request.ts';

export interface WorkDryRun {
  readonly plan: string;
  readonly workers: number;
  readonly order: TaskOrder;
  /** The first attempt; null if no task is ready. */
  readonly first: FirstAttempt | null;
}

interface FirstAttempt {
  readonly task: string;
  readonly branch: string;
  readonly command: readonly string[];
  /** Null: the operator's own command prints it, and a dry run does not run that. */
  readonly prompt: string | null;
}

/** What such a run would begin with. Refuses whatever the run would refuse, and writes nothing. */
export function dryRunOfWork(options: RunOptions & WorkRequest): Promise<WorkDryRun> {
  return withOperatorErrors(async () => {
    await using scope = openScope();
    const workspace = await openWorkspace(options.cwd, scope);
    const { settings } = await checkedSettings(options, workspace);
    const tasks = await readWorkableTasks(await openTasks(settings.work.plan.path, { cwd: settings.work.home, env: workspace.env }));
    const order = orderOf(tasks.plan, tasks.holds, settings.work.filter);
    const [first] = order.tasks;
    const plan = settings.work.plan.path;
    if (first === undefined) return { plan, workers: settings.lanes, order, first: null };
    const prompt = options.said.promptCommand == null ? await promptOf(first, settings, tasks, options) : null;
    const command = await openDescribedAgent(settings, workspace).describe({
      ...{ prompt: prompt ?? '', output: 'events', marker: 'dry-run/1.1', cwd: options.cwd, folder: '' },
      ...{ idleMs: 0, deadlineMs: 0, maxOutputBytes: 0, lingerMs: 0, budgetUsd: settings.work.budget.costUsd },
    });
    const branch = taskBranch(first.id, (tasks.holds.get(first.id)?.n ?? 0) + 1);
    return { plan, workers: settings.lanes, order, first: { task: first.id, branch, command, prompt } };
  });
}

async function promptOf(task: PlanTask, settings: WorkSettings, { plan, holds }: TasksSnapshot, { said, cwd }: RunOptions & WorkRequest): Promise<string> {
  const { path } = settings.work.plan;
  const top = settings.work.home;
  const named = filesFirst(plan, task, path);
  const there = await Promise.all(named.map((file) => pathExists(join(top, file))));
  const { feedback = '', branch = null, answers = [] } = holds.get(task.id)?.register ?? {};
  return buildTaskPrompt({
    template: await templateOf(said.template ?? null, cwd),
    task,
    project: plan.project,
    planPath: path,
    filesFirst: named.filter((_, index) => there[index]),
    checks: settings.gates.map(({ command }) => command),
    feedback,
    goesOn: branch !== null,
    answers,
  });
}
