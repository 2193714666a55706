import type { PlanProblem, PlanTask, TaskStatus } from '../../journal/words/plan.ts';
import { joinSections } from '../editing/task-fields.ts';
import { type Drafted, oneFilePlan, type PlanForm } from '../plan-form.ts';
import type { Arrow, Mention } from '../reading/draft.ts';
import { complain, type Fields, textField, textsField, withValues, wordField } from '../reading/fields.ts';
import { openPage, readJson } from '../reading/page.ts';
import { type FoundTask, readTask } from '../reading/read-task.ts';
import { textOf, valueAt } from '../sheet/sheet.ts';
import { type Entry, editTaskmaster, entriesIn, listsIn, PRIORITIES, SECTIONS } from './taskmaster-entries.ts';

/** `.taskmaster/tasks/tasks.json` of Taskmaster. Subtasks are tasks of their own; their parent comes after them. A tag is a milestone. */
export const taskmasterForm: PlanForm = {
  kind: 'taskmaster',
  called: "Taskmaster's tasks.json",
  usualPaths: ['.taskmaster/tasks/tasks.json'],
  rank: 2,
  namesInFolder: ['tasks.json', 'tasks/tasks.json'],
  recognises: ({ path, text, isFolder }) => !isFolder && /\.json$/i.test(path) && (path.includes('.taskmaster/') || hasTasks(text() ?? '')),
  isReviewed: false,
  open: oneFilePlan({ draft: draftTaskmaster, edit: editTaskmaster, nearest: nearestStatus }),
};

function hasTasks(text: string): boolean {
  if (text.includes('"userStories"')) return false;
  return /"tasks"\s*:\s*\[\s*\{[^[\]{}]*"(?:id|title)"\s*:/.test(text);
}

function nearestStatus(status: TaskStatus): TaskStatus {
  return status === 'ready' ? 'pending' : status;
}

/** A task that was cancelled is not part of the plan. */
const STATUSES: ReadonlyMap<string, TaskStatus | 'cancelled'> = new Map<string, TaskStatus | 'cancelled'>([
  ['pending', 'pending'],
  ['in-progress', 'in-progress'],
  ['done', 'complete'],
  ['completed', 'complete'],
  ['review', 'blocked'],
  ['deferred', 'blocked'],
  ['blocked', 'blocked'],
  ['cancelled', 'cancelled'],
]);

async function draftTaskmaster(file: string, text: string): Promise<Drafted> {
  const page = openPage(file, text);
  const problems: PlanProblem[] = [];
  const map = await readJson(page, problems);
  if (map === null) return { draft: null, problems };
  const lists = listsIn(map);
  if (lists.length === 0) {
    complain({ page, map, task: null, problems }, map.start, 'there is no list "tasks"');
    return { draft: null, problems };
  }
  const around: Around = { page, problems, hasTags: lists.length > 1 };
  const found = lists.flatMap((list) => tasksOf(around, entriesIn(list)));
  const arrows = found.flatMap((task) => task.arrows);
  return { draft: { project: '', verify: [], tasks: found, stories: [], milestones: [], arrows, problems }, problems };
}

interface Around extends Pick<Fields, 'page' | 'problems'> {
  readonly hasTags: boolean;
}

interface OpenEntry {
  readonly entry: Entry;
  readonly fields: Fields;
  readonly status: TaskStatus;
}

/** What is left of a list without its cancelled tasks, and without what a finished task still lists as open. */
function tasksOf(around: Around, entries: readonly Entry[]): readonly FoundTask[] {
  const open = entries.flatMap((entry) => {
    const own = openEntry(around, entry);
    if (own === null) return [];
    const subtasks = entry.subtasks.flatMap((each) => openEntry(around, each) ?? []).filter(({ status }) => own.status !== 'complete' || status === 'complete');
    // Taskmaster says "in progress" of a task while one of its subtasks is.
    return [{ ...own, status: own.status === 'in-progress' && subtasks.length > 0 ? ('pending' as const) : own.status }, ...subtasks];
  });
  const left = new Set(open.flatMap(({ entry }) => entry.id ?? []));
  const dropped = entries.flatMap((entry) => [entry, ...entry.subtasks]).flatMap(({ id }) => (id === null || left.has(id) ? [] : [id]));
  return open.flatMap((each) => readEntry(around, each, { left, dropped: new Set(dropped) }) ?? []);
}

function openEntry({ page, problems }: Around, entry: Entry): OpenEntry | null {
  const fields: Fields = { page, map: entry.map, task: entry.id, problems };
  const status = wordField(fields, 'status', STATUSES, 'pending');
  return status === 'cancelled' ? null : { entry, fields, status };
}

interface Ids {
  readonly left: ReadonlySet<string>;
  readonly dropped: ReadonlySet<string>;
}

function readEntry({ page, problems, hasTags }: Around, { entry, fields, status }: OpenEntry, ids: Ids): FoundTask | null {
  const { id, map, list, parent } = entry;
  const priority = priorityOf(fields, parent);
  const found = readTask(page, withValues(map, { id, status: null, priority, description: null, path: null }), problems);
  if (found === null || id === null) return null;
  const description = joinSections(SECTIONS, (key) => textField(fields, key) ?? '');
  const tag = hasTags && list.tag !== null && !found.task.milestones.includes(list.tag) ? [list.tag] : [];
  const task: PlanTask = { ...found.task, status, description, milestones: [...found.task.milestones, ...tag] };
  return { ...found, task, arrows: arrowsOf(fields, entry, ids) };
}

/** A subtask has the priority of its task. */
function priorityOf(fields: Fields, parent: Entry | null): number {
  const own = valueAt(fields.map, 'priority') ?? (parent === null ? null : valueAt(parent.map, 'priority'));
  if (own?.kind === 'text' && typeof own.value === 'number') return own.value;
  const isOwn = parent === null || valueAt(fields.map, 'priority') !== null;
  return isOwn ? wordField(fields, 'priority', PRIORITIES, 3) : (PRIORITIES.get((own === null ? null : textOf(own)) ?? '') ?? 3);
}

/** Its dependencies and those of its parent, and its subtasks. */
function arrowsOf(fields: Fields, entry: Entry, { left, dropped }: Ids): readonly Arrow[] {
  const { id, parent, subtasks, map } = entry;
  const to: Mention = { id: id ?? '', page: fields.page, offset: map.start };
  const needed = [...needsOf(fields, entry, left), ...(parent === null ? [] : needsOf({ ...fields, map: parent.map }, parent, left))];
  const within = subtasks.flatMap((each) => (each.id === null ? [] : [{ id: each.id, page: fields.page, offset: each.map.start }]));
  return [...needed, ...within].filter((from) => !dropped.has(from.id)).map((from) => ({ from, to, owner: id }));
}

/** A number in a subtask means another subtask of the same task, if there is one. */
function needsOf(fields: Fields, { parent, list }: Entry, left: ReadonlySet<string>): readonly Mention[] {
  return textsField(fields, 'dependencies').map((mention) => {
    const sibling = `${parent?.id}.${mention.id}`;
    return { ...mention, id: parent !== null && left.has(sibling) ? sibling : `${list.prefix}${mention.id}` };
  });
}
