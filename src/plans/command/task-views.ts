import { choiceOf, countOf } from '../../cli/shared/flags.ts';
import type { Plan, PlanProblem } from '../../journal/words/plan.ts';
import type { AuditEntry } from '../../journal/words/task-register.ts';
import { plural } from '../../kit/pure/amounts.ts';
import { printable, truncateCodePoints } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { clockTime } from '../../report/terminal/paint.ts';
import { alignRows } from '../../report/views/align-rows.ts';
import { countStandings, type StoryStatus, storyStatuses } from '../graph/plan-summary.ts';
import type { Standing, Standings } from '../graph/standing.ts';
import { readTaskAudit } from '../tasks/audit.ts';
import { type ListedTask, listedTasks, type ShownTask, showTask } from '../tasks/list-tasks.ts';
import { completeOnlyByPlan, problemLine, readPlan, readTasks } from '../tasks/read-tasks.ts';
import { type FilterFlags, filterOf, listedJson, printResult, type TaskFlags, withTasks } from './task-flags.ts';

const STATES = ['ready', 'waiting', 'held', 'blocked', 'failed', 'conflict', 'parked', 'complete'] as const satisfies readonly Standing[];

interface ListFlags extends TaskFlags, FilterFlags {
  readonly state?: readonly string[];
}

export async function listTasksCommand(flags: ListFlags): Promise<number> {
  const states = (flags.state ?? []).flatMap((state) => choiceOf('--state', state, STATES) ?? []);
  const { place, ...sight } = await withTasks(flags, async (tasks) => {
    const snapshot = await readTasks(tasks);
    return { ...snapshot, place: tasks.place, onlyByPlan: await completeOnlyByPlan(tasks, snapshot.plan) };
  });
  for (const problem of sight.problems.slice(0, 1)) io().stderr.write(`warning: ${printable(problemLine(problem))}\n`);
  const listed = listedTasks(sight, filterOf(flags), states).map((each) => ({ ...each, isOnlyByPlan: sight.onlyByPlan.has(each.task.id) }));
  const stories = sight.plan === null ? [] : storyStatuses(sight.plan, sight.standings);
  const object = {
    plan: place.plan.path,
    home: place.home,
    tasks: listed.map(listedJson),
    counts: countStandings(sight.standings),
    stories,
    problems: sight.problems,
  };
  printResult(flags, object, [...taskTable(listed, sight.standings, Date.now()), ...storyLines(stories)]);
  return 0;
}

export async function showTaskCommand(id: string, flags: TaskFlags): Promise<number> {
  const shown = await withTasks(flags, (tasks) => showTask(tasks, id));
  printResult(flags, { ...listedJson(shown), needs: shown.needs, needed_by: shown.neededBy }, showLines(shown, Date.now()));
  return 0;
}

/** Exit code 2: the plan has problems, as with any other configuration. */
export async function checkPlanCommand(flags: TaskFlags): Promise<number> {
  const { place, plan, problems } = await withTasks(flags, async (tasks) => ({ ...(await readPlan(tasks)), place: tasks.place }));
  const { path } = place.plan;
  printResult(
    flags,
    { plan: path, home: place.home, ok: problems.length === 0, tasks: plan?.tasks.length ?? null, problems },
    checkLines(path, plan, problems),
  );
  return problems.length === 0 ? 0 : 2;
}

interface AuditFlags extends TaskFlags {
  readonly lines?: string;
}

export async function auditCommand({ lines, ...flags }: AuditFlags): Promise<number> {
  const count = countOf('--lines', lines) ?? 20;
  const entries = await withTasks(flags, ({ place }) => readTaskAudit(place.home, count));
  printResult(flags, { entries }, entries.length === 0 ? ['No task was changed yet.'] : entries.map(auditLine));
  return 0;
}

function auditLine({ timestamp, event, task_id, old_status, new_status }: AuditEntry): string {
  return printable(`[${timestamp}] ${event}: ${task_id} (${old_status} -> ${new_status})`);
}

/** Every problem on a line that editors can jump to, or a summary when there are none. */
export function checkLines(path: string, plan: Plan | null, problems: readonly PlanProblem[]): readonly string[] {
  if (problems.length > 0) return [...problems.map((problem) => printable(problemLine(problem))), plural(problems.length, 'problem')];
  const { tasks = [], stories = [], milestones = [] } = plan ?? {};
  const needs = tasks.reduce((sum, task) => sum + task.needs.length, 0);
  const counts = [
    plural(tasks.length, 'task'),
    ...(needs === 0 ? [] : [plural(needs, 'need')]),
    ...(stories.length === 0 ? [] : [plural(stories.length, 'story', 'stories')]),
    ...(milestones.length === 0 ? [] : [plural(milestones.length, 'milestone')]),
  ];
  return [`${path}: ${counts.join(', ')}: no problems`];
}

/** Everything about one task on a page. */
export function showLines(shown: ShownTask, nowMs: number): readonly string[] {
  const { task, hold, needs, neededBy } = shown;
  const { priority, complexity, story, milestones, tags, outputs, verify, may_change = [], runs_on = [], path, description } = task;
  const facts: readonly (readonly [string, string])[] = [
    ['State', stateText(shown, nowMs)],
    ['Priority', `${priority}`],
    ['Complexity', complexity ?? ''],
    ['Story', story ?? ''],
    ['Milestones', milestones.join(', ')],
    ['Tags', tags.join(', ')],
    ['Needs', needs.map(({ id, state }) => `${id} (${state ?? 'unknown'})`).join(', ')],
    ['Needed by', neededBy.join(', ')],
    ['Outputs', outputs.join(', ')],
    ['Verify', verify.join(' && ')],
    ['May change', may_change.join(', ')],
    ['Runs on', runs_on.join(', ')],
    ['File', path ?? ''],
    ['Branch', hold?.register?.branch ?? ''],
    ['Tries', hold?.register?.tries ? `${hold.register.tries}` : ''],
  ];
  return [
    printable(`${task.id}: ${task.title}`),
    ...facts.filter(([, value]) => value !== '').map(([name, value]) => `${`${name}:`.padEnd(12)}${printable(value)}`),
    ...section('Feedback', hold?.register?.feedback ?? ''),
    ...section('Description', description),
  ];
}

function stateText(shown: ShownTask, nowMs: number): string {
  const [holder, since] = [holderText(shown), sinceText(shown, nowMs)];
  const by = holder.startsWith('(') ? holder : holder && `by ${holder}`;
  return [shown.state, by, since && `since ${since}`, shown.hold && `(number ${shown.hold.n})`].filter(Boolean).join(' ');
}

function section(title: string, text: string): readonly string[] {
  if (text.trim() === '') return [];
  const lines = text.trimEnd().split(/\r?\n/);
  return ['', `${title}:`, ...lines.map((line) => `  ${printable(line)}`.trimEnd())];
}

const HEAD = ['TASK', 'STATE', 'PRIORITY', 'HOLDER', 'SINCE', 'TITLE'] as const;
const LONGEST_TITLE = 80;
/** The largest time that a Date can hold. */
const LAST_MS = 8_640_000_000_000_000;

/** A table for people, then the number of tasks in each state. */
export function taskTable(listed: readonly ListedTask[], standings: Standings, nowMs: number): readonly string[] {
  if (listed.length === 0) return ['There is no such task.', sumLine(standings)];
  return [...alignRows([HEAD, ...listed.map((each) => cells(each, nowMs))]), '', sumLine(standings)];
}

function cells(listed: ListedTask, nowMs: number): readonly string[] {
  const { task, state, hold } = listed;
  const { id, priority, title } = task;
  return [printable(id), state, `${priority}`, holderText(listed), sinceText({ state, hold }, nowMs), printable(truncateCodePoints(title, LONGEST_TITLE, '…'))];
}

const WITH_HOLDER: ReadonlySet<Standing> = new Set(['held', 'failed', 'conflict', 'parked']);

const BY_PLAN = '(the plan says so)';

/** The holder, or the last one where a person has to decide. Without a register Ralph has no part in it: it was begun or done before. */
export function holderText({ state, hold, isOnlyByPlan }: Pick<ListedTask, 'state' | 'hold' | 'isOnlyByPlan'>): string {
  if (isOnlyByPlan) return BY_PLAN;
  if (hold === null) return state === 'held' ? BY_PLAN : '';
  if (hold.register === null) return '(register unreadable)';
  return WITH_HOLDER.has(state) ? printable(hold.register.holder?.name ?? '') : '';
}

export function sinceText({ state, hold }: Pick<ListedTask, 'state' | 'hold'>, nowMs: number): string {
  const at = hold?.register?.at ?? null;
  return at === null || Math.abs(at) > LAST_MS || !WITH_HOLDER.has(state) ? '' : clockTime(at, nowMs);
}

function sumLine(standings: Standings): string {
  const counts = Object.entries(countStandings(standings)).filter(([, count]) => count > 0);
  return `${standings.size} ${standings.size === 1 ? 'task' : 'tasks'}${counts.length === 0 ? '' : `: ${counts.map(([state, count]) => `${count} ${state}`).join(', ')}`}`;
}

/** `Stories: S-001 in-progress (1 of 3), S-002 pending (0 of 2)`; empty when no task has a story. */
export function storyLines(stories: readonly StoryStatus[]): readonly string[] {
  if (stories.length === 0) return [];
  return [`Stories: ${stories.map(({ id, status, complete, total }) => `${printable(id)} ${status} (${complete} of ${total})`).join(', ')}`];
}
