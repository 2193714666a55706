import type { Plan, PlanEdit, PlanTask, TaskStatus } from '../../journal/words/plan.ts';

/** The combined result of several edits. If two change the same field, the later one counts. */
export interface WantedPlan {
  readonly changed: ReadonlyMap<string, WantedChange>;
  readonly added: readonly PlanTask[];
  /** All tasks after the edits. */
  readonly tasks: readonly PlanTask[];
  /** The time of the last status change; null when there is none. */
  readonly atMs: number | null;
}

export interface WantedChange {
  readonly status: { readonly status: TaskStatus; readonly atMs: number } | null;
  readonly fields: Rewording;
}

export type Rewording = Extract<PlanEdit, { kind: 'reword' }>['fields'];

/** Throws for an edit of a missing task, or for a new task that exists: both are bugs of the caller. */
export function applyEdits(plan: Plan, edits: readonly PlanEdit[]): WantedPlan {
  const tasks = new Map(plan.tasks.map((task) => [task.id, task]));
  const changed = new Map<string, WantedChange>();
  const added = new Set<string>();
  for (const edit of edits) {
    if (edit.kind === 'add') added.add(add(tasks, edit.task));
    else changed.set(edit.id, changedBy(tasks, changed.get(edit.id) ?? { status: null, fields: {} }, edit));
  }
  for (const id of added) changed.delete(id);
  const atMs = edits.findLast((edit) => edit.kind === 'status')?.at_ms ?? null;
  return { changed, added: [...added].flatMap((id) => tasks.get(id) ?? []), tasks: [...tasks.values()], atMs };
}

function add(tasks: Map<string, PlanTask>, task: PlanTask): string {
  if (tasks.has(task.id)) throw new Error(`The plan has a task "${task.id}" already.`);
  tasks.set(task.id, task);
  return task.id;
}

function changedBy(tasks: Map<string, PlanTask>, change: WantedChange, edit: Exclude<PlanEdit, { kind: 'add' }>): WantedChange {
  const task = tasks.get(edit.id);
  if (task === undefined) throw new Error(`The plan has no task "${edit.id}".`);
  const fields = edit.kind === 'status' ? {} : given(edit.fields);
  tasks.set(edit.id, { ...task, ...fields, ...(edit.kind === 'status' ? { status: edit.status } : {}) });
  return { status: edit.kind === 'status' ? { status: edit.status, atMs: edit.at_ms } : change.status, fields: { ...change.fields, ...fields } };
}

/** Removes fields whose value is undefined. */
function given(fields: Rewording): Partial<PlanTask> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
