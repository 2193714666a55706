import { existsSync } from 'node:fs';
import type { Bus } from '../../../engine/ports/supervision.ts';
import type { BusMessage } from '../../../journal/messages.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { FileBus } from '../file-bus.ts';

export interface BusReading {
  /** How many of the last messages; null: all after `since`, or the default number. */
  readonly tail: number | null;
  readonly since: string | null;
  readonly type: string | null;
}

const USUAL_TAIL = 20;
const GROWTH = 8;

/** The messages to show, and the newest message that was read for it, shown or not. */
export interface ReadMessages {
  readonly messages: readonly BusMessage[];
  readonly newest: string | null;
}

export async function readBus(bus: Bus, { tail, since, type }: BusReading): Promise<ReadMessages> {
  if (since === null) return await lastOfType(bus, tail ?? USUAL_TAIL, type);
  const later = await bus.since(since);
  if (later === null) throw unknownMessage(`since id ${since} not found`, bus.path);
  const fitting = later.filter(isOfType(type));
  return { messages: tail === null ? fitting : lastOf(fitting, tail), newest: later.at(-1)?.msg_id ?? since };
}

/** Reads further back until there are enough messages of that type, or no more. */
async function lastOfType(bus: Bus, tail: number, type: string | null): Promise<ReadMessages> {
  for (let count = Math.max(1, tail); ; count *= GROWTH) {
    const found = await bus.last(count);
    const messages = lastOf(found.filter(isOfType(type)), tail);
    if (messages.length >= tail || found.length < count) return { messages, newest: found.at(-1)?.msg_id ?? null };
  }
}

const lastOf = (messages: readonly BusMessage[], count: number) => (count > 0 ? messages.slice(-count) : []);

/** Types are words for people, so their case does not matter. */
export function isOfType(type: string | null): (message: BusMessage) => boolean {
  return (message) => type === null || message.type.toUpperCase() === type.toUpperCase();
}

/** Nobody would read an answer to an unknown message. */
export async function refuseUnknownMessage(bus: Bus, id: string): Promise<void> {
  if ((await bus.bytesSince(id)) === null) throw unknownMessage(`message ${id} not found`, bus.path);
}

/** A named file that does not exist is more likely misspelt than empty. */
export async function refuseMissingBus({ path, last }: FileBus): Promise<void> {
  if (existsSync(path) || (await last(1)).length > 0) return;
  throw new OperatorError('bus-unknown', `there is no message bus at ${path}`, { hint: 'Check the names; the first post creates the file.', exitCode: 2 });
}

export function unknownMessage(message: string, path: string): OperatorError {
  return new OperatorError('message-unknown', message, { hint: `The messages are in ${path}; ralph bus read shows the last ones.`, exitCode: 2 });
}
