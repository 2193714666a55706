import type { PlanTask, TaskStatus } from '../../journal/words/plan.ts';
import type { SheetMap } from '../sheet/sheet.ts';
import type { Change } from './changes.ts';
import { type Field, ownPair, setField } from './set-field.ts';
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
    ...one('path', task.path),
  ];
}

export function several(key: string, value: readonly string[]): Field[] {
  return value.length === 0 ? [] : [{ key, value }];
}

function one(key: string, value: string | null): Field[] {
  return value === null ? [] : [{ key, value }];
}
