import type { EventBody } from './journal-event.ts';

const TYPES = [
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

/** What only the journal of a root agent's run holds: its task folder, its children, its messages. */
export type TaskEvent = Extract<EventBody, { type: (typeof TYPES)[number] }>;

export function isTaskEvent(body: EventBody): body is TaskEvent {
  return (TYPES as readonly string[]).includes(body.type);
}
