import { countStandings, storyStatuses } from '../graph/plan-summary.ts';
import type { Standing } from '../graph/standing.ts';
import { surroundings } from '../../process/surroundings.ts';
import { printable } from '../../kit/pure/printable.ts';
import type { AuditEntry } from '../../journal/words/task-audit.ts';
import { readTaskAudit } from '../tasks/audit.ts';
import { listedTasks } from '../tasks/list-tasks.ts';
import { lookAtTasks, problemLine, readPlan } from '../tasks/look-at-tasks.ts';
import { showTask } from '../tasks/show-task.ts';
import { choiceOf, countOf } from '../../cli/shared/flag-values.ts';
import { checkLines } from './check-lines.ts';
import { showLines } from './show-lines.ts';
import { type FilterFlags, filterOf, type TaskFlags, tell, withTasks } from './task-flags.ts';
import { listedJson } from './task-json.ts';
import { storyLines, taskTable } from './task-table.ts';

const STATES = ['ready', 'waiting', 'held', 'blocked', 'failed', 'conflict', 'complete'] as const satisfies readonly Standing[];

interface ListFlags extends TaskFlags, FilterFlags {
  readonly state?: readonly string[];
}

export async function listTasksCommand(flags: ListFlags): Promise<number> {
  const states = (flags.state ?? []).flatMap((state) => choiceOf('--state', state, STATES) ?? []);
  const { place, ...sight } = await withTasks(flags, async (tasks) => ({ ...(await lookAtTasks(tasks)), place: tasks.place }));
  for (const problem of sight.problems.slice(0, 1)) surroundings().stderr.write(`warning: ${printable(problemLine(problem))}\n`);
  const listed = listedTasks(sight, filterOf(flags), states);
  const stories = sight.plan === null ? [] : storyStatuses(sight.plan, sight.standings);
  const object = {
    plan: place.plan.path,
    home: place.home,
    tasks: listed.map(listedJson),
    counts: countStandings(sight.standings),
    stories,
    problems: sight.problems,
  };
  tell(flags, object, [...taskTable(listed, sight.standings, Date.now()), ...storyLines(stories)]);
  return 0;
}

export async function showTaskCommand(id: string, flags: TaskFlags): Promise<number> {
  const shown = await withTasks(flags, (tasks) => showTask(tasks, id));
  tell(flags, { ...listedJson(shown), needs: shown.needs, needed_by: shown.neededBy }, showLines(shown, Date.now()));
  return 0;
}

/** 2: something is wrong with it, as with any other configuration. */
export async function checkPlanCommand(flags: TaskFlags): Promise<number> {
  const { place, plan, problems } = await withTasks(flags, async (tasks) => ({ ...(await readPlan(tasks)), place: tasks.place }));
  const { path } = place.plan;
  tell(flags, { plan: path, home: place.home, ok: problems.length === 0, tasks: plan?.tasks.length ?? null, problems }, checkLines(path, plan, problems));
  return problems.length === 0 ? 0 : 2;
}

interface AuditFlags extends TaskFlags {
  readonly lines?: string;
}

export async function auditCommand({ lines, ...flags }: AuditFlags): Promise<number> {
  const count = countOf('--lines', lines) ?? 20;
  const entries = await withTasks(flags, ({ place }) => readTaskAudit(place.home, count));
  tell(flags, { entries }, entries.length === 0 ? ['Nothing was done with any task yet.'] : entries.map(auditLine));
  return 0;
}

function auditLine({ timestamp, event, task_id, old_status, new_status }: AuditEntry): string {
  return printable(`[${timestamp}] ${event}: ${task_id} (${old_status} -> ${new_status})`);
}
