import type { Plan, PlanTask, TaskStatus } from '../../journal/words/plan.ts';
import { applyChanges, type Change, type FieldValue } from '../editing/changes.ts';
import { addItems, type Field, ownPair, setField } from '../editing/edit-sheet.ts';
import { describedBy, fieldsOf, type Section } from '../editing/task-fields.ts';
import type { WantedChange, WantedPlan } from '../editing/wanted-plan.ts';
import { openPage, readSheet } from '../reading/page.ts';
import { pairOf, type SheetMap, type SheetPair, textOf, valueAt } from '../sheet/sheet.ts';

/** A list of tasks in the file. Its `tag` is null in the old layout, which has one list only. */
interface TaskList {
  readonly tag: string | null;
  /** What the ids of its tasks begin with: the tag, except for the usual one. */
  readonly prefix: string;
  readonly owner: SheetMap;
  readonly pair: SheetPair;
}

/** A task or subtask in the file. */
export interface Entry {
  /** Its id in the plan; null when it has none. */
  readonly id: string | null;
  readonly map: SheetMap;
  readonly list: TaskList;
  readonly parent: Entry | null;
  readonly subtasks: readonly Entry[];
}

const USUAL_TAG = 'master';

/** The old layout has a list `tasks`, the new one a map with such a list for each tag. */
export function listsIn(map: SheetMap): readonly TaskList[] {
  const own = pairOf(map, 'tasks');
  if (own?.value.kind === 'list') return [{ tag: null, prefix: '', owner: map, pair: own }];
  return map.pairs.flatMap(({ key: tag, value }) => {
    const pair = value.kind === 'map' ? pairOf(value, 'tasks') : null;
    if (value.kind !== 'map' || pair?.value.kind !== 'list') return [];
    return [{ tag, prefix: tag === USUAL_TAG ? '' : `${tag}.`, owner: value, pair }];
  });
}

/** The tasks of a list in the order of the file, each with its subtasks. */
export function entriesIn(list: TaskList): readonly Entry[] {
  const items = list.pair.value.kind === 'list' ? list.pair.value.items : [];
  return items.flatMap((item) => (item.kind === 'map' ? [entryOf(item, list)] : []));
}

function entryOf(map: SheetMap, list: TaskList): Entry {
  const own = idIn(map);
  const entry = { id: own === null ? null : `${list.prefix}${own}`, map, list, parent: null };
  const subtasks = valueAt(map, 'subtasks');
  const items = subtasks?.kind === 'list' ? subtasks.items : [];
  return { ...entry, subtasks: items.flatMap((item) => (item.kind === 'map' ? [subtaskOf(item, { ...entry, subtasks: [] })] : [])) };
}

/** `3.1` is the first subtask of task 3. */
function subtaskOf(map: SheetMap, parent: Entry): Entry {
  const own = idIn(map);
  const isWhole = own?.startsWith(`${idIn(parent.map)}.`) === true;
  const id = own === null || parent.id === null ? null : isWhole ? `${parent.list.prefix}${own}` : `${parent.id}.${own}`;
  return { id, map, list: parent.list, parent, subtasks: [] };
}

function idIn(map: SheetMap): string | null {
  const value = valueAt(map, 'id');
  return value === null ? null : textOf(value);
}

/** The fields that make up the description of a task. */
export const SECTIONS: readonly Section[] = [
  { key: 'description', heading: '' },
  { key: 'details', heading: 'Details:' },
  { key: 'testStrategy', heading: 'Test strategy:' },
];

export const PRIORITIES: ReadonlyMap<string, number> = new Map([
  ['critical', 0],
  ['high', 1],
  ['medium', 3],
  ['low', 5],
]);

/** The text with the wanted changes; all else stays as it is. */
export async function editTaskmaster(text: string, _plan: Plan, { changed, added }: WantedPlan): Promise<string> {
  const map = await readSheet(openPage('', text), []);
  const lists = map === null ? [] : listsIn(map);
  const entries = lists.flatMap(entriesIn).flatMap((entry) => [entry, ...entry.subtasks]);
  const changes = entries.flatMap(({ id, map: task }) => {
    const change = id === null ? undefined : changed.get(id);
    return change === undefined ? [] : changesOf(text, task, change);
  });
  const additions = lists.flatMap((list) => {
    const news = added.filter((task) => listOf(task, lists) === list);
    return news.length === 0
      ? []
      : [
          addItems(
            text,
            list.owner,
            list.pair,
            news.map((task) => itemOf(task, list, lists.length > 1)),
          ),
        ];
  });
  return applyChanges(text, [...changes, ...additions]);
}

const WORDS = { pending: 'pending', ready: 'pending', 'in-progress': 'in-progress', complete: 'done', blocked: 'blocked' } as const satisfies Record<
  TaskStatus,
  string
>;

function changesOf(text: string, task: SheetMap, { status, fields }: WantedChange): readonly Change[] {
  const { description, ...others } = fields;
  const news: Field[] = Object.entries(others).map(([key, value]) => ({ key, value: value as FieldValue }));
  if (description !== undefined) news.push(...describedBy(SECTIONS, description, (key) => ownPair(task, key) !== null));
  if (status !== null) {
    news.push({ key: 'status', value: WORDS[status.status] });
    if (ownPair(task, 'updatedAt') !== null) news.push({ key: 'updatedAt', value: new Date(status.atMs).toISOString() });
  }
  return news.map((field) => setField(text, task, field));
}

/** The list whose tag its milestones name, else the first one whose tag its id begins with. */
function listOf({ id, milestones }: PlanTask, lists: readonly TaskList[]): TaskList | undefined {
  const named = lists.find(({ tag }) => tag !== null && milestones.includes(tag));
  const fitting = lists.filter(({ prefix }) => id.startsWith(prefix)).toSorted((one, other) => other.prefix.length - one.prefix.length);
  return named !== undefined && id.startsWith(named.prefix) ? named : (fitting[0] ?? lists[0]);
}

function itemOf(task: PlanTask, { tag, prefix }: TaskList, hasTags: boolean): readonly Field[] {
  const own = { ...task, milestones: hasTags ? task.milestones.filter((each) => each !== tag) : task.milestones };
  const kept = fieldsOf(own).filter(({ key }) => key !== 'description' && key !== 'status' && key !== 'priority' && key !== 'id');
  const local = (id: string) => (id.startsWith(prefix) ? id.slice(prefix.length) : id);
  const id = local(task.id);
  return [
    { key: 'id', value: /^[1-9]\d{0,8}$/.test(id) ? Number(id) : id },
    ...kept,
    ...describedBy(SECTIONS, task.description, (key) => key === 'description'),
    { key: 'status', value: WORDS[task.status] },
    { key: 'priority', value: [...PRIORITIES].find(([, number]) => number === task.priority)?.[0] ?? task.priority },
    { key: 'dependencies', value: task.needs.map(local) },
  ];
}
