import type { EventBody } from './journal-event.ts';

const TASK_EVENT_TYPES = [
  'task.seen',
  'done.seen',
  'done.refused',
  'dependencies.seen',
  'child.asked',
  'child.started',
  'child.refused',
  'children.seen',
  'children.awaited',
  'children.outlived',
  'children.ended',
  'posted',
] as const satisfies readonly EventBody['type'][];

/** Events that only the journal of a supervised root agent has: about its task folder, children and messages. */
export type TaskEvent = Extract<EventBody, { type: (typeof TASK_EVENT_TYPES)[number] }>;

export function isTaskEvent(body: EventBody): body is TaskEvent {
  return (TASK_EVENT_TYPES as readonly string[]).includes(body.type);
}

const WORK_EVENT_TYPES = [
  'task.taken',
  'task.none',
  'plan.troubled',
  'task.claimed',
  'task.lost',
  'tasks.changed',
  'workspace.opened',
  'workspace.closed',
  'plan.settled',
  'merge.proven',
  'merge.judged',
  'base.brought',
  'task.released',
  'task.answered',
] as const satisfies readonly EventBody['type'][];

/** Events that only the journal of a run on a plan has: about its tasks, worktrees and merges. */
export type WorkEvent = Extract<EventBody, { type: (typeof WORK_EVENT_TYPES)[number] }>;

export function isWorkEvent(body: EventBody): body is WorkEvent {
  return (WORK_EVENT_TYPES as readonly string[]).includes(body.type);
}

const STORY_EVENT_TYPES = ['stories.seen', 'turn.begun', 'stories.settled', 'stories.recorded', 'stop.refused'] as const satisfies readonly EventBody['type'][];

/** Events that only the journal of a run on stories has. */
export type StoryEvent = Extract<EventBody, { type: (typeof STORY_EVENT_TYPES)[number] }>;

export function isStoryEvent(body: EventBody): body is StoryEvent {
  return (STORY_EVENT_TYPES as readonly string[]).includes(body.type);
}

export type BodyOf<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

/** One function for each type of event that matters to somebody. The types that are missing do not matter to them. */
export type EventTable<Args extends readonly unknown[], R> = { readonly [T in EventBody['type']]?: (body: BodyOf<T>, ...args: Args) => R };

/** Undefined if the event does not matter. */
export function lookUp<Args extends readonly unknown[], R>(table: EventTable<Args, R>, body: EventBody, ...args: Args): R | undefined {
  const entry = table[body.type] as ((body: EventBody, ...args: Args) => R) | undefined;
  return entry?.(body, ...args);
}
