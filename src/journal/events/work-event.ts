import type { EventBody } from './journal-event.ts';

const TYPES = [
  'task.taken',
  'task.none',
  'plan.troubled',
  'task.claimed',
  'task.lost',
  'workspace.opened',
  'workspace.closed',
  'plan.settled',
  'merge.judged',
  'base.brought',
  'task.released',
] as const satisfies readonly EventBody['type'][];

/** What only the journal of a run on a plan holds: its tasks, their worktrees, their merges. */
export type WorkEvent = Extract<EventBody, { type: (typeof TYPES)[number] }>;

export function isWorkEvent(body: EventBody): body is WorkEvent {
  return (TYPES as readonly string[]).includes(body.type);
}
