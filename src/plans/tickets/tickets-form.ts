import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import { readFirstLine } from '../../kit/files/file-lines.ts';
import { applyChanges, type Change, type FieldValue, inYaml, lineEndOf } from '../editing/changes.ts';
import { ownPair, setField } from '../editing/edit-sheet.ts';
import { fieldsOf, several, statusChanges } from '../editing/task-fields.ts';
import type { WantedChange, WantedPlan } from '../editing/wanted-plan.ts';
import type { Drafted, OpenPlan, PlanForm, Rewrite } from '../plan-form.ts';
import { openPage, readSheet } from '../reading/page.ts';
import { type FoundTask, readTask } from '../reading/read-task.ts';
import { digestOf, linkOnTheWay, readSourceFile, type SourceFile } from '../reading/source-file.ts';
import { pairOf, type SheetMap, textOf, valueAt } from '../sheet/sheet.ts';

/** A folder of tickets with front matter, as in seed 000. There a graph is made from tickets, so tickets beside a graph are not a second plan. */
export const ticketsForm: PlanForm = {
  kind: 'tickets',
  called: 'a folder of tickets',
  usualPaths: ['docs/active/tickets', 'tickets'],
  rank: 1,
  namesInFolder: [],
  recognises: ({ top, path, isFolder }, isNamed) => isFolder && hasTickets(join(top, path)) && (isNamed || !hasGraph(top)),
  isReviewed: false,
  open: openTickets,
};

function hasGraph(top: string): boolean {
  return ['task-graph.yaml', 'task-graph.yml'].some((name) => existsSync(join(top, name)));
}

function hasTickets(folder: string): boolean {
  return (namesIn(folder) ?? []).some((name) => /^\ufeff?---\s*$/.test(readFirstLine(join(folder, name)) ?? ''));
}

function openTickets(top: string, folder: string): OpenPlan {
  return {
    pathspecs: [`:(top,glob)${folder.replaceAll(/[\\*?[\]]/g, '\\$&')}/*.md`],
    files: () => ticketFiles(top, folder),
    draft: (files) => draftTickets(files, folder),
    edit: (files, _plan, wanted) => editTickets(folder, files, wanted),
    nearest: (status) => status,
  };
}

/** The tickets of a folder by name, without subfolders. Files without front matter are not tickets. Null: there is no folder. */
function ticketFiles(top: string, folder: string): readonly SourceFile[] | null {
  if (linkOnTheWay(top, folder) !== null) return wrongFolder(top, folder);
  const names = namesIn(join(top, folder));
  if (names === null) return wrongFolder(top, folder);
  return names.flatMap((name) => readSourceFile(top, `${folder}/${name}`) ?? []).filter(isTicket);
}

/** An unreadable file might be a ticket, so it is reported. */
function isTicket({ text }: SourceFile): boolean {
  return text === null || splitTicket(text) !== null;
}

/** Reports a link or a file in place of the folder. */
function wrongFolder(top: string, folder: string): readonly SourceFile[] | null {
  const found = readSourceFile(top, folder);
  return found === null ? null : [{ ...found, text: null, why: found.why || 'it is not a folder' }];
}

function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return null;
  }
}

/** Parses tickets: the front matter has the fields of a task, the text its description. An unreadable ticket does not affect the others. */
async function draftTickets(files: readonly SourceFile[], folder: string): Promise<Drafted> {
  const problems: PlanProblem[] = [];
  const found: FoundTask[] = [];
  for (const file of files) {
    const task = await readTicket(file, problems);
    if (task !== null) found.push(task);
  }
  if (files[0]?.path === folder) return { draft: null, problems };
  const draft = { project: '', verify: [], tasks: found, stories: [], milestones: [], arrows: found.flatMap(({ arrows }) => arrows), problems };
  return { draft, problems };
}

async function readTicket({ path, text, why }: SourceFile, problems: PlanProblem[]): Promise<FoundTask | null> {
  const ticket = text === null ? why : splitTicket(text);
  if (ticket === null || typeof ticket === 'string') {
    const message = ticket === 'unclosed' ? 'its front matter does not end: a line --- is missing' : why;
    problems.push({ file: path, line: text === null ? null : 1, message, task: null });
    return null;
  }
  const page = openPage(path, ticket.matter, 2);
  const map = await readSheet(page, problems);
  const found = map === null ? null : readTask(page, map, problems);
  if (map === null || found === null) return null;
  const body = bodyOf(ticket);
  const { start, end } = descriptionIn(body);
  const title = valueAt(map, 'title') === null ? titleIn(body, found.task.id) : found.task.title;
  return { ...found, task: { ...found.task, title, description: body.slice(start, end).replaceAll('\r\n', '\n'), path } };
}

/** Only the lines concerned are rewritten; a new task is a new file. */
async function editTickets(folder: string, files: readonly SourceFile[], { changed, added }: WantedPlan): Promise<readonly Rewrite[]> {
  const rewrites: Rewrite[] = [];
  for (const { path, text } of changed.size === 0 ? [] : files) {
    const news = text === null ? null : await editTicket(text, changed);
    if (news !== null) rewrites.push({ path, before: text, text: news });
  }
  return [...rewrites, ...added.map((task) => ({ path: `${folder}/${fileNameOf(task.id)}`, before: null, text: ticketOf(task) }))];
}

async function editTicket(text: string, changed: WantedPlan['changed']): Promise<string | null> {
  const ticket = splitTicket(text);
  if (ticket === null || ticket === 'unclosed') return null;
  const map = await readSheet(openPage('', ticket.matter), []);
  const id = map === null ? undefined : pairOf(map, 'id')?.value;
  const change = id === undefined ? undefined : changed.get(textOf(id) ?? '');
  if (map === null || change === undefined) return null;
  const { description, ...fields } = change.fields;
  const tail = description === undefined ? ticket.tail : redescribed(ticket.tail, description);
  return `${ticket.head}${applyChanges(ticket.matter, matterChanges(ticket, map, { ...change, fields }))}${tail}`;
}

function matterChanges({ matter }: Ticket, map: SheetMap, { status, fields }: WantedChange): readonly Change[] {
  const changes = Object.entries(fields).map(([key, value]) => setField(matter, map, { key, value: value as FieldValue }));
  if (status === null) return changes;
  const date = new Date(status.atMs).toISOString().slice(0, 10);
  const dated = ownPair(map, 'updated') === null ? [] : [setField(matter, map, { key: 'updated', value: date })];
  return [...changes, ...statusChanges(matter, map, status), ...dated];
}

function redescribed(tail: string, description: string): string {
  const feed = tail.indexOf('\n');
  const [closing, body] = feed < 0 ? [`${tail}\n`, ''] : [tail.slice(0, feed + 1), tail.slice(feed + 1)];
  const { start, end } = descriptionIn(body);
  const words = description.replaceAll('\n', lineEndOf(tail));
  const isNew = start === end;
  return `${closing}${body.slice(0, start)}${isNew ? `\n${words}\n` : words}${body.slice(end)}`;
}

function ticketOf(task: PlanTask): string {
  const fields = fieldsOf({ ...task, description: '', path: null });
  const lines = [...fields, ...several('depends_on', task.needs)].map(({ key, value }) => `${key}: ${inYaml(value)}`);
  return ['---', ...lines, '---', '', `# ${task.id}: ${task.title.replaceAll(/\s+/g, ' ')}`, '', '## Description', '', task.description, ''].join('\n');
}

/** A name for any file system; ids that would share one are told apart by their digests. */
function fileNameOf(id: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(id)) return `${id}.md`;
  return `${id.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 50)}~${digestOf(id).slice(0, 12)}.md`;
}

/** The parts of a ticket; joined, they give the ticket again. */
export interface Ticket {
  /** The first line, `---`. */
  readonly head: string;
  /** The lines of the front matter. */
  readonly matter: string;
  /** From the closing `---` on. */
  readonly tail: string;
}

const OPENING = /^\ufeff?---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*\r?$/gm;

/** Null: it has no front matter, so it is not a ticket. `unclosed`: its front matter does not end. */
function splitTicket(text: string): Ticket | 'unclosed' | null {
  const head = OPENING.exec(text)?.[0];
  if (head === undefined) return null;
  CLOSING.lastIndex = head.length;
  const end = CLOSING.exec(text)?.index;
  return end === undefined ? 'unclosed' : { head, matter: text.slice(head.length, end), tail: text.slice(end) };
}

/** The text below the front matter. */
function bodyOf({ tail }: Ticket): string {
  const feed = tail.indexOf('\n');
  return feed < 0 ? '' : tail.slice(feed + 1);
}

/** The range of a ticket's description in its text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const FENCE = /^ {0,3}(?:```|~~~)/;

/** The text under the first `## ` heading, up to the next heading of its rank; without one, everything under the title. */
function descriptionIn(body: string): Stretch {
  const headings = headingsOf(body);
  const first = headings.findIndex(({ rank }) => rank === 2);
  const from = first >= 0 ? headings[first] : headings.find(({ rank }) => rank === 1);
  const next = first >= 0 ? headings[first + 1] : undefined;
  return trimmed(body, from?.end ?? 0, next?.start ?? body.length);
}

/** The title in a ticket's text, without an id before it; the id where there is none. */
function titleIn(body: string, id: string): string {
  const heading = headingsOf(body).find(({ rank }) => rank === 1);
  const title = heading === undefined ? '' : body.slice(heading.start + 1, heading.end).trim();
  return (title.startsWith(`${id}:`) ? title.slice(id.length + 1).trim() : title) || id;
}

interface Heading extends Stretch {
  readonly rank: 1 | 2;
}

/** Headings of the first two ranks. Lines inside of a fence are code. */
function headingsOf(body: string): readonly Heading[] {
  const found: Heading[] = [];
  let isCode = false;
  for (let start = 0; start < body.length; ) {
    const feed = body.indexOf('\n', start);
    const end = feed < 0 ? body.length : feed + 1;
    const line = body.slice(start, end);
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode && /^##?\s/.test(line)) found.push({ start, end, rank: line.startsWith('##') ? 2 : 1 });
    start = end;
  }
  return found;
}

function trimmed(body: string, from: number, to: number): Stretch {
  const text = body.slice(from, to);
  const start = from + (text.length - text.trimStart().length);
  return text.trim() === '' ? { start: from, end: from } : { start, end: start + text.trim().length };
}
