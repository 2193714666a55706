import type { PlanTask, TaskStatus } from '../../journal/words/plan.ts';
import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { type Sheet, valueAt } from '../sheet/sheet.ts';
import type { Arrow, DraftTask, Mention } from './draft.ts';
import { complain, type Fields, namesField, numberField, textField, textsField } from './fields.ts';
import { pathProblem } from './page.ts';

/** Seed 000 counts from 0 to 5; this is for tasks without a priority. */
const DEFAULT_PRIORITY = 3;

export interface FoundTask extends DraftTask {
  readonly arrows: readonly Arrow[];
}

/** A task in the fields that all forms share. Null when it has no usable id; the problems say so. */
export function readTask(page: Fields['page'], sheet: Sheet, problems: Fields['problems']): FoundTask | null {
  if (sheet.kind !== 'map') {
    complain({ page, map: NO_MAP, task: null, problems }, sheet.start, 'a task must be a map with an "id"');
    return null;
  }
  const id = idOf({ page, map: sheet, task: null, problems });
  if (id === null) return null;
  const fields = { page, map: sheet, task: id, problems };
  const mayChange = paths(fields, textsField(fields, 'may_change', 'mayChange'));
  const runsOn = namesField(fields, 'runs_on', 'runsOn').map(nameOf);
  const task: PlanTask = {
    id,
    title: textField(fields, 'title')?.trim() || id,
    description: (textField(fields, 'description') ?? '').trim(),
    story: textField(fields, 'story'),
    milestones: namesField(fields, 'milestones', 'milestone').map(nameOf),
    tags: namesField(fields, 'tags', 'labels').map(nameOf),
    priority: numberField(fields, 'priority') ?? DEFAULT_PRIORITY,
    complexity: textField(fields, 'complexity'),
    status: readStatus(fields),
    needs: [],
    outputs: paths(fields, namesField(fields, 'output', 'outputs')),
    verify: textsField(fields, 'verify').map(nameOf),
    ...(mayChange.length > 0 && { may_change: mayChange }),
    ...(runsOn.length > 0 && { runs_on: runsOn }),
    path: textField(fields, 'path'),
  };
  if (task.path !== null) paths(fields, [{ id: task.path, page, offset: valueAt(sheet, 'path')?.start ?? sheet.start }]);
  return { task, spot: { page, offset: sheet.start }, arrows: arrowsOf(fields, id) };
}

const NO_MAP = { kind: 'map', pairs: [], isFlow: false, start: 0, end: 0 } as const;
const nameOf = ({ id }: Mention) => id;

/** The id of a task or a group. */
export function idOf(fields: Fields): string | null {
  const value = valueAt(fields.map, 'id');
  const id = textField(fields, 'id');
  if (value === null) complain(fields, fields.map.start, 'there is no "id"');
  const why = id === null ? null : whyNoId(id);
  if (why !== null) complain(fields, value?.start ?? fields.map.start, why);
  return why === null ? id : null;
}

function readStatus(fields: Fields): TaskStatus {
  const word = textField(fields, 'status')?.trim() ?? 'pending';
  const status = statusOf(word);
  if (status === null) complain(fields, valueAt(fields.map, 'status')?.start ?? fields.map.start, whyNoStatus(word));
  return status ?? 'pending';
}

function paths(fields: Fields, mentions: readonly Mention[]): string[] {
  for (const { id, offset } of mentions) {
    const why = pathProblem(id);
    if (why !== null) complain(fields, offset, why);
  }
  return mentions.map(nameOf);
}

/** Its needs, and the tasks that it blocks. */
function arrowsOf(fields: Fields, id: string): readonly Arrow[] {
  const { page, map } = fields;
  const self: Mention = { id, page, offset: map.start };
  const needs = namesField(fields, 'depends_on', 'needs', 'dependsOn');
  const blocks = namesField(fields, 'blocks');
  return [...needs.map((from) => ({ from, to: self, owner: id })), ...blocks.map((to) => ({ from: self, to, owner: id }))];
}

const LONGEST = 200;

/** Why an id is not valid; null when it is. Ids are shown to people, written to log lines, and passed to commands as words. */
function whyNoId(id: string): string | null {
  if (id.trim() === '') return 'an id must not be empty';
  if (id !== id.trim()) return `the id ${JSON.stringify(id)} has spaces at an end`;
  if (id.length > LONGEST) return `the id "${id.slice(0, 40)}…" has ${id.length} characters: at most ${LONGEST} are allowed`;
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(id)) return `the id ${JSON.stringify(id)} has invisible characters`;
  if (id.startsWith('-')) return `the id "${id}" begins with a dash: commands would take it for an option`;
  return null;
}

const STATUSES: ReadonlyMap<string, TaskStatus> = new Map([
  ['pending', 'pending'],
  ['planned', 'pending'],
  ['ready', 'ready'],
  ['in-progress', 'in-progress'],
  ['complete', 'complete'],
  ['blocked', 'blocked'],
]);

/** Null: not a known status. `planned` is what the front matter of seed 000 says for pending. */
function statusOf(word: string): TaskStatus | null {
  return STATUSES.get(word) ?? null;
}

function whyNoStatus(word: string): string {
  const words = [...STATUSES.keys()];
  const meant = didYouMean(word, words);
  return `unknown status "${word.slice(0, 40)}": ${meant === null ? `it is one of ${words.join(', ')}` : `did you mean ${meant}?`}`;
}
