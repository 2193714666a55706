import type { PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import { applyChanges, type Change, type FieldValue, inJson, lineEndOf } from '../editing/changes.ts';
import { type Field, setField } from '../editing/edit-sheet.ts';
import { fieldsOf } from '../editing/task-fields.ts';
import type { WantedChange, WantedPlan } from '../editing/wanted-plan.ts';
import { withValues } from '../reading/fields.ts';
import { openPage, type Page, readSheet } from '../reading/page.ts';
import { type FoundTask, readTask } from '../reading/read-task.ts';
import { type SheetMap, textOf, valueAt } from '../sheet/sheet.ts';
import type { Item } from './markdown-items.ts';

/** What the words behind a checkbox say. */
export interface ReadTitle {
  readonly id: string;
  /** Where the title begins in them, behind an id and labels. */
  readonly at: number;
  readonly story: string | null;
}

/** Null: they do not name a task. */
export type ReadTitleOf = (words: string) => ReadTitle | null;

/** A task and where it stands. */
export interface PlacedTask {
  readonly item: Item;
  readonly id: string;
  readonly titleAt: number;
  readonly story: string | null;
  /** The fields of the comment; null when there is none. */
  readonly extra: { readonly page: Page; readonly map: SheetMap } | null;
}

/** The items that are tasks. An id in a comment counts before one in the title. Several with the same words are numbered in the order of the file. */
export async function placedTasks(page: Page, items: readonly Item[], readTitle: ReadTitleOf, problems: PlanProblem[]): Promise<readonly PlacedTask[]> {
  const placed: PlacedTask[] = [];
  const numbered = openNumbers();
  for (const item of items) {
    const extra = item.extra === null ? null : await readExtra(page, item.extra, problems);
    const task = placedAs(item, extra, readTitle(page.text.slice(item.title.start, item.title.end)), numbered);
    if (task !== null) placed.push(task);
  }
  return placed;
}

function placedAs(item: Item, extra: PlacedTask['extra'], read: ReadTitle | null, numbered: (id: string) => string): PlacedTask | null {
  const named = extra === null ? null : valueAt(extra.map, 'id');
  const own = named === null ? null : textOf(named);
  if (own !== null) return { item, id: own, titleAt: item.title.start, story: null, extra };
  if (read === null) return null;
  return { item, id: read.at === 0 ? numbered(read.id) : read.id, titleAt: item.title.start + read.at, story: read.story, extra };
}

/** The id for a title, with a number behind it if earlier tasks have the same title. Two tasks with the same id of their own are a mistake. */
function openNumbers(): (id: string) => string {
  const counts = new Map<string, number>();
  return (id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
}

async function readExtra(page: Page, { start, end }: { readonly start: number; readonly end: number }, problems: PlanProblem[]): Promise<PlacedTask['extra']> {
  const own = openPage(page.file, page.text.slice(start, end), page.lineOf(start));
  const map = await readSheet(own, problems);
  return map === null ? null : { page: own, map };
}

export function readPlaced(page: Page, placed: PlacedTask, problems: PlanProblem[]): FoundTask | null {
  const { item, id, titleAt, story, extra } = placed;
  const map = extra?.map ?? { kind: 'map', pairs: [], isFlow: true, start: item.start, end: item.start };
  const found = readTask(extra?.page ?? page, withValues(map, { id, title: null, description: null, status: null }), problems);
  if (found === null) return null;
  const { description, isDone } = item;
  const title = page.text.slice(titleAt, item.title.end).trim() || id;
  const task: PlanTask = { ...found.task, title, description, status: isDone ? 'complete' : 'pending', story: story ?? found.task.story };
  return { ...found, task, spot: { page, offset: item.start } };
}

/** The changes for tasks that are there already. */
export function changesOf(text: string, placed: readonly PlacedTask[], readTitle: ReadTitleOf, changed: WantedPlan['changed']): readonly Change[] {
  return placed.flatMap((each) => {
    const change = changed.get(each.id);
    return change === undefined ? [] : changesOfItem(text, each, readTitle, change);
  });
}

function changesOfItem(text: string, placed: PlacedTask, readTitle: ReadTitleOf, { status, fields }: WantedChange): readonly Change[] {
  const { item, titleAt, id } = placed;
  const { title, description, ...others } = fields;
  const news: Field[] = Object.entries(others).map(([key, value]) => ({ key, value: value as FieldValue }));
  const retitled = title === undefined ? text.slice(item.title.start, item.title.end) : `${text.slice(item.title.start, titleAt)}${title}`;
  const keepsId = placed.extra !== null && valueAt(placed.extra.map, 'id') !== null;
  if (title !== undefined && !keepsId && readTitle(retitled)?.id !== id) news.unshift({ key: 'id', value: id });
  const lead = item.title.start === item.title.end && title !== undefined ? ': ' : '';
  return [
    ...(status === null ? [] : marked(text, item, status.status === 'complete')),
    ...(title === undefined ? [] : [{ start: titleAt, end: item.title.end, text: `${lead}${title}` }]),
    ...extraChanges(text, placed, news),
    ...(description === undefined ? [] : [bodyChange(text, item, description, status?.status === 'complete' || item.isDone)]),
  ];
}

/** A text that is replaced anyway brings its own marks. */
function marked(text: string, { marks, isDone }: Item, done: boolean): readonly Change[] {
  if (isDone === done) return [];
  const wrong = marks.filter((at) => /[xX]/.test(text[at] ?? '') !== done);
  return wrong.map((at) => ({ start: at, end: at + 1, text: done ? 'x' : ' ' }));
}

function extraChanges(text: string, { item, extra }: PlacedTask, fields: readonly Field[]): readonly Change[] {
  if (fields.length === 0) return [];
  if (extra === null || item.extra === null) return [{ start: item.headEnd, end: item.headEnd, text: `${lineEndOf(text)}${item.margin}${commentOf(fields)}` }];
  const { start, end } = item.extra;
  const old = text.slice(start, end);
  const news = applyChanges(
    old,
    fields.map((field) => setField(old, extra.map, field)),
  );
  return [{ start, end, text: inComment(news) }];
}

function bodyChange(text: string, { body, margin }: Item, description: string, isDone: boolean): Change {
  const eol = lineEndOf(text);
  const words = bodyLines(isDone ? ticked(description) : description, margin).join(eol);
  return { ...body, text: body.start === body.end && words !== '' ? `${eol}${words}` : words };
}

function ticked(description: string): string {
  return description.replaceAll(/^(\s*(?:[-*+]|\d+[.)])\s+\[)[ ~/](?=\])/gm, '$1x');
}

export function bodyLines(description: string, margin: string): readonly string[] {
  return description === '' ? [] : description.split('\n').map((line) => (line === '' ? '' : `${margin}${line}`));
}

const DEFAULT_PRIORITY = 3;

/** The comment with all that the line of a new task cannot say; none when it says everything. */
export function extraOf(task: PlanTask, needs: readonly string[] | null, hasOwnId: boolean): readonly string[] {
  const left = fieldsOf(task).filter(
    ({ key, value }) => !['title', 'description', 'status', ...(hasOwnId ? ['id'] : [])].includes(key) && !(key === 'priority' && value === DEFAULT_PRIORITY),
  );
  const fields = needs === null ? left : [...left, { key: 'needs', value: needs }];
  return fields.length === 0 ? [] : [commentOf(fields)];
}

function commentOf(fields: readonly Field[]): string {
  return `<!-- ralph: ${inComment(`{${fields.map(({ key, value }) => `${inJson(key)}: ${inJson(value)}`).join(', ')}}`)} -->`;
}

/** The end of a comment cannot be part of it. */
function inComment(json: string): string {
  return json.replaceAll('-->', '--\\u003e');
}
