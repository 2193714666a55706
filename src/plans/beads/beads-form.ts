import type { Plan, PlanProblem, PlanTask, TaskStatus } from '../../journal/words/plan.ts';
import { applyChanges, type Change, type FieldValue, inJson, lineEndOf } from '../editing/changes.ts';
import { type Field, ownPair, setField } from '../editing/edit-sheet.ts';
import { describedBy, fieldsOf, joinSections, type Section } from '../editing/task-fields.ts';
import type { WantedChange, WantedPlan } from '../editing/wanted-plan.ts';
import { type Candidate, type Drafted, oneFilePlan, type PlanForm } from '../plan-form.ts';
import type { Arrow, DraftGroup, Mention } from '../reading/draft.ts';
import { complain, type Fields, textField, withValues, wordField } from '../reading/fields.ts';
import { openPage, readJson, readSheet } from '../reading/page.ts';
import { type FoundTask, idOf, readTask } from '../reading/read-task.ts';
import { type SheetMap, textOf, valueAt } from '../sheet/sheet.ts';

/** `.beads/issues.jsonl` of beads, which may have another name: one issue a line. An epic is a story, of which its children are the tasks. */
export const beadsForm: PlanForm = {
  kind: 'beads',
  called: "beads' issues.jsonl",
  usualPaths: ['.beads/*.jsonl'],
  rank: 2,
  namesInFolder: ['*.jsonl', '.beads/*.jsonl'],
  recognises: (found, isNamed) => !found.isFolder && /\.jsonl$/i.test(found.path) && (USUAL_NAME.test(found.path) || hasIssues(found, isNamed)),
  isReviewed: false,
  open: oneFilePlan({ draft: draftBeads, edit: editBeads, nearest: nearestStatus }),
};

const USUAL_NAME = /(?:^|\/)(?:issues|beads)\.jsonl$/;

/** What beads keeps beside its issues: templates, and both sides of a merge. */
const NO_ISSUES = /(?:^|\/)(?:molecules|[\w-]*(?:\.|_)(?:base|left|right))\.jsonl$/;

/** Beads also keeps deletions and interactions in such files, whose lines have an id, and no title. A file that a person names may be empty or broken. */
function hasIssues({ path, text }: Candidate, isNamed: boolean): boolean {
  const isOfBeads = path.startsWith('.beads/') || path.includes('/.beads/');
  if (isOfBeads && NO_ISSUES.test(path)) return false;
  const line = (text() ?? '').split('\n').find((each) => each.trim() !== '');
  if (line === undefined) return isNamed && !isOfBeads;
  try {
    const issue = JSON.parse(line);
    return typeof issue?.id === 'string' && (issue.title ?? issue.status) !== undefined;
  } catch {
    return isNamed && !isOfBeads;
  }
}

function nearestStatus(status: TaskStatus): TaskStatus {
  return status === 'ready' ? 'pending' : status;
}

/** Pinned issues are notes that stay, and tombstones are deleted issues. */
const STATUSES: ReadonlyMap<string, TaskStatus | 'none'> = new Map<string, TaskStatus | 'none'>([
  ['open', 'pending'],
  ['in_progress', 'in-progress'],
  ['hooked', 'in-progress'],
  ['blocked', 'blocked'],
  ['deferred', 'blocked'],
  ['closed', 'complete'],
  ['pinned', 'none'],
  ['tombstone', 'none'],
]);

/** Types of issues that are no work by themselves. */
const NO_WORK: ReadonlySet<string> = new Set(['epic', 'milestone', 'message', 'molecule', 'gate', 'event']);

/** One line of the file. */
interface Issue {
  readonly id: string;
  readonly fields: Fields;
  readonly type: string;
  readonly status: TaskStatus | 'none';
  readonly links: readonly Link[];
}

interface Link extends Mention {
  readonly type: string;
}

async function draftBeads(file: string, text: string): Promise<Drafted> {
  const problems: PlanProblem[] = [];
  const issues: Issue[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const issue = line.trim() === '' ? null : await readIssue(file, line, index + 1, problems);
    if (issue !== null) issues.push(issue);
  }
  const isTask = ({ type, status }: Issue) => status !== 'none' && !NO_WORK.has(type);
  const children = childrenOf(issues);
  const others = new Map(issues.filter((issue) => !isTask(issue)).map((issue) => [issue.id, children.get(issue.id) ?? []]));
  const epics = new Set(issues.filter(({ type }) => type === 'epic').map(({ id }) => id));
  const found = issues.filter(isTask).flatMap((issue) => readTaskOf(issue, epics) ?? []);
  const arrows = issues.filter(isTask).flatMap((issue) => arrowsOf(issue, others));
  const stories = issues.filter(({ id }) => epics.has(id)).map(storyOf);
  return { draft: { project: '', verify: [], tasks: found, stories, milestones: [], arrows, problems }, problems };
}

async function readIssue(file: string, line: string, number: number, problems: PlanProblem[]): Promise<Issue | null> {
  const page = openPage(file, line, number);
  const map = await readJson(page, problems);
  if (map === null) return null;
  const id = idOf({ page, map, task: null, problems });
  const fields: Fields = { page, map, task: id, problems };
  if (id === null) return null;
  const status = wordField<TaskStatus | 'none'>(fields, 'status', STATUSES, 'pending');
  return { id, fields, type: textField(fields, 'issue_type') ?? 'task', status, links: linksOf(fields) };
}

function linksOf(fields: Fields): readonly Link[] {
  const list = valueAt(fields.map, 'dependencies');
  if (list === null) return [];
  if (list.kind !== 'list') complain(fields, list.start, '"dependencies" must be a list');
  return (list.kind === 'list' ? list.items : []).flatMap((item) => {
    const link: Fields | null = item.kind === 'map' ? { ...fields, map: item } : null;
    const id = link === null ? null : textField(link, 'depends_on_id');
    if (link === null || id === null) complain(fields, item.start, 'a dependency must have a "depends_on_id"');
    return link === null || id === null ? [] : [{ id, type: textField(link, 'type') ?? 'blocks', page: fields.page, offset: item.start }];
  });
}

function childrenOf(issues: readonly Issue[]): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const { id, links } of issues) {
    for (const { type, id: parent } of links) if (type === 'parent-child') children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  return children;
}

function readTaskOf({ fields, links, status }: Issue, epics: ReadonlySet<string>): FoundTask | null {
  const { page, map, problems } = fields;
  const found = readTask(page, withValues(map, { status: null, description: null, path: null, blocks: null }), problems);
  if (found === null || status === 'none') return null;
  const epic = links.find(({ type, id }) => type === 'parent-child' && epics.has(id))?.id;
  const task: PlanTask = { ...found.task, status, description: joinSections(SECTIONS, (key) => textField(fields, key) ?? ''), story: epic ?? found.task.story };
  return { ...found, task };
}

const BLOCKING: ReadonlySet<string> = new Set(['blocks', 'conditional-blocks', 'waits-for']);

/** Whoever waits for an epic waits for its children. An issue that is no task holds nobody up. */
function arrowsOf({ id, fields, links }: Issue, others: ReadonlyMap<string, readonly string[]>): readonly Arrow[] {
  const to: Mention = { id, page: fields.page, offset: fields.map.start };
  const needed = links.filter(({ type }) => BLOCKING.has(type)).flatMap((link) => (others.get(link.id) ?? [link.id]).map((from) => ({ ...link, id: from })));
  return needed.filter((from) => from.id !== id && !others.has(from.id)).map((from) => ({ from, to, owner: id }));
}

function storyOf({ id, fields }: Issue): DraftGroup {
  const title = valueAt(fields.map, 'title');
  return { id, title: (title === null ? null : textOf(title)) ?? id, path: null, spot: { page: fields.page, offset: fields.map.start }, tasks: [] };
}

/** The fields that make up the description of a task. */
const SECTIONS: readonly Section[] = [
  { key: 'description', heading: '' },
  { key: 'design', heading: 'Design:' },
  { key: 'acceptance_criteria', heading: 'Acceptance criteria:' },
  { key: 'notes', heading: 'Notes:' },
];

/** The text with the wanted changes. A line without one stays as it is. */
async function editBeads(text: string, _plan: Plan, { changed, added, atMs }: WantedPlan): Promise<string> {
  const lines: string[] = [];
  for (const line of text.split('\n')) lines.push(changed.size === 0 || line.trim() === '' ? line : await editLine(line, changed));
  const eol = lineEndOf(text);
  const news = added.map((task) => `${issueOf(task, new Date(atMs ?? Date.now()).toISOString())}${eol}`).join('');
  const old = lines.join('\n');
  return `${old}${news === '' || old === '' || old.endsWith('\n') ? '' : eol}${news}`;
}

async function editLine(line: string, changed: WantedPlan['changed']): Promise<string> {
  const map = await readSheet(openPage('', line), []);
  const id = map === null ? null : valueAt(map, 'id');
  const change = id === null ? undefined : changed.get(textOf(id) ?? '');
  return map === null || change === undefined ? line : applyChanges(line, changesOf(line, map, change));
}

const WORDS = { pending: 'open', ready: 'open', 'in-progress': 'in_progress', complete: 'closed', blocked: 'blocked' } as const satisfies Record<
  TaskStatus,
  string
>;

function changesOf(line: string, map: SheetMap, { status, fields }: WantedChange): readonly Change[] {
  const { description, tags, ...others } = fields;
  const news: Field[] = Object.entries(others).map(([key, value]) => ({ key, value: value as FieldValue }));
  if (tags !== undefined) news.push({ key: 'labels', value: tags });
  if (description !== undefined) news.push(...describedBy(SECTIONS, description, (key) => ownPair(map, key) !== null));
  if (status !== null) news.push(...statusFields(map, status));
  return news.map((field) => setField(line, map, field));
}

/** Beads wants `closed_at` in a closed issue, and in no other. */
function statusFields(map: SheetMap, { status, atMs }: NonNullable<WantedChange['status']>): readonly Field[] {
  const time = new Date(atMs).toISOString();
  const closed: Field = { key: 'closed_at', value: status === 'complete' ? time : null };
  return [
    { key: 'status', value: WORDS[status] },
    ...(ownPair(map, 'updated_at') === null ? [] : [{ key: 'updated_at', value: time }]),
    ...(status === 'complete' || ownPair(map, 'closed_at') !== null ? [closed] : []),
  ];
}

function issueOf(task: PlanTask, time: string): string {
  const kept = fieldsOf(task).filter(({ key }) => !['description', 'status', 'tags'].includes(key));
  const fields: readonly Field[] = [
    ...kept,
    ...describedBy(SECTIONS, task.description, (key) => key === 'description'),
    { key: 'status', value: WORDS[task.status] },
    { key: 'issue_type', value: 'task' },
    { key: 'created_at', value: time },
    { key: 'updated_at', value: time },
    ...(task.status === 'complete' ? [{ key: 'closed_at', value: time }] : []),
    ...(task.tags.length === 0 ? [] : [{ key: 'labels', value: task.tags }]),
  ];
  const links = task.needs.map((need) => JSON.stringify({ issue_id: task.id, depends_on_id: need, type: 'blocks', created_at: time }));
  return `{${[...fields.map(({ key, value }) => `${inJson(key)}:${inJson(value)}`), ...(links.length === 0 ? [] : [`"dependencies":[${links.join(',')}]`])].join(',')}}`;
}
