import type { Plan, PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import { applyChanges, type Change, type FieldValue, inYaml } from '../editing/changes.ts';
import { addItems, type Field, ownPair, setField } from '../editing/edit-sheet.ts';
import { fieldsOf, several, statusChanges } from '../editing/task-fields.ts';
import type { WantedPlan } from '../editing/wanted-plan.ts';
import { type Drafted, oneFilePlan, type PlanForm } from '../plan-form.ts';
import type { Arrow, DraftGroup, Mention } from '../reading/draft.ts';
import { complain, type Fields, namesField, textField, textsField } from '../reading/fields.ts';
import { openPage, type Page, problemAt, readSheet } from '../reading/page.ts';
import { type FoundTask, idOf, readTask } from '../reading/read-task.ts';
import { pairOf, type Sheet, type SheetMap, type SheetPair, textOf, valueAt } from '../sheet/sheet.ts';

/** `task-graph.yaml` of seed 000. */
export const taskGraphForm: PlanForm = {
  kind: 'task-graph',
  called: 'a task-graph.yaml',
  usualPaths: ['task-graph.yaml', 'task-graph.yml'],
  rank: 1,
  namesInFolder: ['task-graph.yaml', 'task-graph.yml'],
  recognises: ({ path, text, isFolder }) => !isFolder && (/\.ya?ml$/i.test(path) || (!/\.(?:md|jsonl?)$/i.test(path) && /^nodes:/m.test(text() ?? ''))),
  isReviewed: false,
  open: oneFilePlan({ draft: draftTaskGraph, edit: editTaskGraph, nearest: (status) => status }),
};

/** The text with the wanted changes, and with the date and the counts that follow from them. */
export async function editTaskGraph(text: string, plan: Plan, wanted: WantedPlan): Promise<string> {
  const map = await readSheet(openPage('', text), []);
  if (map === null) throw new Error('The plan was readable a moment ago.');
  const meta = ownPair(map, 'meta')?.value;
  return applyChanges(text, [
    ...changesOfNodes(text, map, wanted),
    ...additions(text, map, wanted.added),
    ...dateChange(text, map, wanted.atMs),
    ...(meta?.kind === 'map' ? recountMeta(text, meta, plan, wanted.tasks) : []),
  ]);
}

function changesOfNodes(text: string, map: SheetMap, { changed }: WantedPlan): readonly Change[] {
  const nodes = pairOf(map, 'nodes')?.value;
  const items = nodes?.kind === 'list' ? nodes.items : [];
  return items.flatMap((node) => {
    const id = node.kind === 'map' ? idIn(node) : null;
    const change = id === null ? undefined : changed.get(id);
    if (change === undefined || node.kind !== 'map') return [];
    const fields = Object.entries(change.fields).map(([key, value]) => setField(text, node, { key, value: value as FieldValue }));
    return change.status === null ? fields : [...fields, ...statusChanges(text, node, change.status)];
  });
}

function idIn(node: SheetMap): string | null {
  const value = pairOf(node, 'id')?.value;
  return value === undefined ? null : textOf(value);
}

/** The needs of a new task are written as edges where there are any, else into the task. */
function additions(text: string, map: SheetMap, added: readonly PlanTask[]): readonly Change[] {
  const nodes = ownPair(map, 'nodes');
  if (nodes === null || added.length === 0) return [];
  const edges = ownPair(map, 'edges');
  const news =
    edges === null
      ? []
      : added.flatMap(({ id, needs }) =>
          needs.map((need): readonly Field[] => [
            { key: 'from', value: need },
            { key: 'to', value: id },
          ]),
        );
  const items = added.map((task) => [...fieldsOf(task), ...(edges === null ? several('depends_on', task.needs) : [])]);
  return [addItems(text, map, nodes, items), ...(edges === null || news.length === 0 ? [] : [addItems(text, map, edges, news)])];
}

function dateChange(text: string, map: SheetMap, atMs: number | null): readonly Change[] {
  if (atMs === null || ownPair(map, 'last_updated') === null) return [];
  return [setField(text, map, { key: 'last_updated', value: new Date(atMs).toISOString().slice(0, 10) })];
}

/** Updates the counts in `meta`. A missing key is not added, but a missing entry of a count is. */
function recountMeta(text: string, meta: SheetMap, { stories, milestones }: Plan, tasks: readonly PlanTask[]): readonly Change[] {
  const totals = { total_stories: stories.length, total_tasks: tasks.length, total_milestones: milestones.length };
  const counts = {
    by_status: groupedBy(tasks, ({ status }) => [status.replaceAll('-', '_')]),
    by_priority: groupedBy(tasks, ({ priority }) => [String(priority)]),
    by_milestone: groupedBy(tasks, (task) => task.milestones),
  };
  return [
    ...Object.entries(totals).flatMap(([key, total]) => recountNumber(text, meta, key, total)),
    ...Object.entries(counts).flatMap(([key, groups]) => recountGroups(text, ownPair(meta, key), groups, key === 'by_milestone')),
  ];
}

type Groups = ReadonlyMap<string, readonly string[]>;

function groupedBy(tasks: readonly PlanTask[], namesOf: (task: PlanTask) => readonly string[]): Groups {
  const groups = new Map<string, string[]>();
  for (const task of tasks) {
    for (const name of namesOf(task)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [task.id]);
      else group.push(task.id);
    }
  }
  return groups;
}

function recountNumber(text: string, map: SheetMap, key: string, count: number): readonly Change[] {
  const value = ownPair(map, key)?.value;
  return value === undefined || (value.kind === 'text' && value.value === count) ? [] : [setField(text, map, { key, value: count })];
}

/** The ids of each group where the file lists ids, else their number. */
function recountGroups(text: string, pair: SheetPair | null, groups: Groups, isListed: boolean): readonly Change[] {
  const map = pair?.value;
  if (map?.kind !== 'map') return [];
  const missing = [...groups].filter(([key]) => ownPair(map, key) === null);
  const recount = (key: string, ids: readonly string[], value: Sheet | null): readonly Change[] => {
    const news = value?.kind === 'list' || (value === null && isListed) ? ids : ids.length;
    return value !== null && saysSame(value, news) ? [] : [setField(text, map, { key, value: news })];
  };
  if (map.pairs.length === 0) return missing.length === 0 ? [] : [{ start: map.start, end: map.end, text: inBraces(missing, isListed) }];
  return [
    ...map.pairs.flatMap(({ key, value, isOwn }) => (isOwn ? recount(key, groups.get(key) ?? [], value) : [])),
    ...missing.flatMap(([key, ids]) => recount(key, ids, null)),
  ];
}

function saysSame(value: Sheet, news: number | readonly string[]): boolean {
  if (typeof news === 'number') return value.kind === 'text' && value.value === news;
  const ids = value.kind === 'list' ? value.items.map((item) => (item.kind === 'text' ? String(item.value) : '')) : [];
  return value.kind === 'list' && ids.length === news.length && new Set([...ids, ...news]).size === news.length;
}

function inBraces(groups: readonly (readonly [string, readonly string[]])[], isListed: boolean): string {
  return `{ ${groups.map(([key, ids]) => `${inYaml(key)}: ${inYaml(isListed ? ids : ids.length)}`).join(', ')} }`;
}

/** Parses `task-graph.yaml`: nodes and the edges between them, with the stories and milestones they belong to. */
async function draftTaskGraph(file: string, text: string): Promise<Drafted> {
  const page = openPage(file, text);
  const problems: PlanProblem[] = [];
  const map = await readSheet(page, problems);
  if (map === null) return { draft: null, problems };
  const fields: Fields = { page, map, task: null, problems };
  const nodes = listOf(fields, 'nodes');
  if (nodes === null) {
    if (pairOf(map, 'nodes') === null) complain(fields, map.start, 'there is no list "nodes"');
    return { draft: null, problems };
  }
  const found = nodes.map((node) => readNode(page, node, problems)).filter((task) => task !== null);
  const draft = {
    project: textField(fields, 'project') ?? '',
    verify: textsField(fields, 'verify').map(({ id }) => id),
    tasks: found,
    stories: groupsOf(fields, 'stories'),
    milestones: groupsOf(fields, 'milestones'),
    arrows: [...found.flatMap(({ arrows }) => arrows), ...edgesOf(fields)],
    problems,
  };
  return { draft, problems };
}

/** Its status is written into it, so it cannot be an alias. */
function readNode(page: Page, node: Sheet, problems: PlanProblem[]): FoundTask | null {
  if (page.text[node.start] !== '*') return readTask(page, node, problems);
  problems.push(problemAt({ page, offset: node.start }, 'a task must be written out: it cannot be an alias'));
  return null;
}

/** Null when there is none. An empty value is a list without items. */
function listOf(fields: Fields, key: string): readonly Sheet[] | null {
  const value = pairOf(fields.map, key)?.value;
  if (value === undefined) return null;
  if (value.kind === 'list') return value.items;
  if (value.kind === 'text' && value.value === null) return [];
  complain(fields, value.start, `"${key}" must be a list`);
  return null;
}

function groupsOf(fields: Fields, key: string): readonly DraftGroup[] {
  const { page, problems } = fields;
  return (listOf(fields, key) ?? []).flatMap((sheet) => {
    if (sheet.kind !== 'map') {
      complain(fields, sheet.start, `"${key}" must be a list of maps with an "id"`);
      return [];
    }
    const own: Fields = { page, map: sheet, task: null, problems };
    const id = idOf(own);
    if (id === null) return [];
    return [{ id, title: textField(own, 'title') ?? id, path: textField(own, 'path'), spot: { page, offset: sheet.start }, tasks: namesField(own, 'tasks') }];
  });
}

function edgesOf(fields: Fields): readonly Arrow[] {
  return (listOf(fields, 'edges') ?? []).flatMap((edge) => {
    const from = edge.kind === 'map' ? endOf(fields.page, edge, 'from') : null;
    const to = edge.kind === 'map' ? endOf(fields.page, edge, 'to') : null;
    if (from !== null && to !== null) return [{ from, to, owner: null }];
    complain(fields, edge.start, 'an edge must be a map with a "from" and a "to"');
    return [];
  });
}

function endOf(page: Page, edge: SheetMap, key: 'from' | 'to'): Mention | null {
  const value = valueAt(edge, key);
  const id = value === null ? null : textOf(value);
  return value === null || id === null ? null : { id, page, offset: value.start };
}
