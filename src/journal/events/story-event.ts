import type { EventBody } from './journal-event.ts';

const TYPES = [
  'stories.seen',
  'turn.begun',
  'stories.settled',
  'stories.recorded',
  'question.asked',
  'question.answered',
  'stop.refused',
] as const satisfies readonly EventBody['type'][];

/** What only the journal of a run on stories holds. */
export type StoryEvent = Extract<EventBody, { type: (typeof TYPES)[number] }>;

const NAMES: ReadonlySet<string> = new Set(TYPES);

export function isStoryEvent(body: EventBody): body is StoryEvent {
  return NAMES.has(body.type);
}
