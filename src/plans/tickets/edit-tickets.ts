import type { PlanTask } from '../../journal/words/plan.ts';
import { applyChanges, type Change, lineEndOf } from '../editing/changes.ts';
import { ownPair, setField } from '../editing/set-field.ts';
import { fieldsOf, several, statusChanges } from '../editing/task-fields.ts';
import type { Wanted, WantedChange } from '../editing/wanted.ts';
import { type FieldValue, inYaml } from '../editing/words.ts';
import type { Rewrite } from '../plan-form.ts';
import { openPage } from '../reading/page.ts';
import { readSheet } from '../reading/read-sheet.ts';
import { digestOf, type SourceFile } from '../reading/source-file.ts';
import { pairOf, type SheetMap, textOf } from '../sheet/sheet.ts';
import { descriptionIn } from './description.ts';
import { splitTicket, type Ticket } from './front-matter.ts';

/** Of each ticket only the lines concerned are written anew; a new task is a new file. */
export async function editTickets(folder: string, files: readonly SourceFile[], { changed, added }: Wanted): Promise<readonly Rewrite[]> {
  const rewrites: Rewrite[] = [];
  for (const { path, text } of changed.size === 0 ? [] : files) {
    const news = text === null ? null : await editTicket(text, changed);
    if (news !== null) rewrites.push({ path, before: text, text: news });
  }
  return [...rewrites, ...added.map((task) => ({ path: `${folder}/${fileNameOf(task.id)}`, before: null, text: ticketOf(task) }))];
}

async function editTicket(text: string, changed: Wanted['changed']): Promise<string | null> {
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
