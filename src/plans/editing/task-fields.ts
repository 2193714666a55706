import type { PlanTask, TaskStatus } from '../../journal/words/plan.ts';
import type { SheetMap } from '../sheet/sheet.ts';
import type { Change } from './changes.ts';
import { type Field, ownPair, setField } from './edit-sheet.ts';
import type { WantedChange } from './wanted-plan.ts';

/** Writes a new status with its time, and removes the fields of the old one. */
export function statusChanges(text: string, map: SheetMap, { status, atMs }: NonNullable<WantedChange['status']>): readonly Change[] {
  const changes = [setField(text, map, { key: 'status', value: status })];
  if (status === 'complete') return [...changes, setField(text, map, { key: 'completed_at', value: new Date(atMs).toISOString() }, 'status')];
  return [...changes, ...outdatedBy(status).flatMap((key) => (saysSomething(map, key) ? [setField(text, map, { key, value: null })] : []))];
}

function outdatedBy(status: TaskStatus): readonly string[] {
  return status === 'pending' || status === 'ready' ? ['completed_at', 'claimed_at', 'claimed_by'] : ['completed_at'];
}

function saysSomething(map: SheetMap, key: string): boolean {
  const value = ownPair(map, key)?.value;
  return value !== undefined && !(value.kind === 'text' && value.value === null);
}

/** The non-empty fields of a new task, in the order of seed 000. */
export function fieldsOf(task: PlanTask): readonly Field[] {
  const milestones: Field[] = task.milestones.length === 1 ? one('milestone', task.milestones[0] ?? null) : several('milestones', task.milestones);
  return [
    { key: 'id', value: task.id },
    { key: 'title', value: task.title },
    ...one('story', task.story),
    ...milestones,
    ...one('description', task.description === '' ? null : task.description),
    { key: 'priority', value: task.priority },
    ...one('complexity', task.complexity),
    { key: 'status', value: task.status },
    ...several('tags', task.tags),
    ...several('output', task.outputs),
    ...several('verify', task.verify),
    ...several('may_change', task.may_change ?? []),
    ...several('runs_on', task.runs_on ?? []),
    ...one('path', task.path),
  ];
}

export function several(key: string, value: readonly string[]): Field[] {
  return value.length === 0 ? [] : [{ key, value }];
}

function one(key: string, value: string | null): Field[] {
  return value === null ? [] : [{ key, value }];
}

/** A field of a file that becomes a part of a task's description, below a heading of its own. The first one has no heading. */
export interface Section {
  readonly key: string;
  readonly heading: string;
}

/** The texts of several fields as one description. Empty ones are left out. */
export function joinSections(sections: readonly Section[], textOf: (key: string) => string): string {
  const parts = sections.map(({ key, heading }) => ({ heading, text: textOf(key).trim() })).filter(({ text }) => text !== '');
  return parts.map(({ heading, text }) => (heading === '' ? text : `${heading}\n${text}`)).join('\n\n');
}

/** The inverse: the text of each field. */
function splitSections(sections: readonly Section[], description: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let rest = `\n\n${description}`;
  for (const { key, heading } of sections.toReversed()) {
    const mark = `\n\n${heading}${heading === '' ? '' : '\n'}`;
    const at = heading === '' ? 0 : rest.lastIndexOf(mark);
    texts.set(key, at < 0 ? '' : rest.slice(at + mark.length).trim());
    if (at >= 0) rest = rest.slice(0, at);
  }
  return texts;
}

/** The fields to write for a description: those that have a text, and those that are there and must become empty. */
export function describedBy(sections: readonly Section[], description: string, isThere: (key: string) => boolean): readonly Field[] {
  return [...splitSections(sections, description)]
    .toReversed()
    .filter(([key, text]) => text !== '' || isThere(key))
    .map(([key, value]) => ({ key, value }));
}
