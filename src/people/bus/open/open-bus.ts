import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { askDoor } from '../../../door/door-client.ts';
import type { Bus } from '../../../engine/ports/supervision.ts';
import type { BusMessage } from '../../../journal/messages.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { PROJECT_BUS } from '../../../store/task-place.ts';
import { type FileBus, openFileBus } from '../file-bus.ts';
import type { BusPlace, FoundBus } from './find-bus.ts';

/** A bus of this size is rotated: hardly anybody reads older messages. */
const ROTATE_BYTES = 64 * 1024 * 1024;

export function openBusFile(path: string): FileBus {
  return openFileBus(path, { rotateBytes: ROTATE_BYTES });
}

/** Uses the door of the agent's loop for the agent's own bus, else the file. */
export function openBus({ path, by }: FoundBus, { env }: Pick<BusPlace, 'env'>): FileBus {
  const file = openBusFile(path);
  const door = by === 'environment' ? ownDoor(env) : null;
  return door === null ? file : busBehindDoor(door, basename(path) === PROJECT_BUS ? 'project' : 'task', file);
}

/** The door of another loop, which may have started this job, has other buses. */
function ownDoor(env: BusPlace['env']): string | null {
  const socket = env['RALPH_SOCKET'] || null;
  return socket !== null && basename(socket) === `${env['RALPH_RUN_ID']}.sock` ? socket : null;
}

/** The most messages that the door returns at once. */
const MOST_BEHIND_DOOR = 10_000;

/** A bus that the loop writes and reads for us. If the loop does not answer, or cannot, the file is used. */
function busBehindDoor(socket: string, bus: 'task' | 'project', file: FileBus): FileBus {
  async function messages(query: Readonly<Record<string, string>>): Promise<readonly BusMessage[] | 'unknown id' | null> {
    const answer = await askDoor(socket, { method: 'GET', path: `/v1/bus?${new URLSearchParams({ bus, ...query })}` });
    if (answer.kind !== 'answered') return null;
    const { messages, error } = answer.body as { readonly messages?: readonly BusMessage[]; readonly error?: string };
    if (answer.status === 404 && error?.startsWith('since id ')) return 'unknown id';
    return answer.status === 200 && Array.isArray(messages) ? messages : null;
  }

  return {
    ...file,
    async post(posting) {
      // Bytes that are not UTF-8 do not fit into JSON.
      if (posting.body_base64 !== undefined) return await file.post(posting);
      const answer = await askDoor(socket, { method: 'POST', path: '/v1/bus', body: { ...posting, bus } });
      const { msg_id } = answer.kind === 'answered' && answer.status === 201 ? (answer.body as { readonly msg_id?: string }) : {};
      // After a broken connection the message may already be on the bus. Twice is better than not at all.
      return msg_id ?? (await file.post(posting));
    },
    async last(count) {
      const found = count > 0 && count <= MOST_BEHIND_DOOR ? await messages({ tail: String(count) }) : null;
      if (found === null || found === 'unknown id') return await file.last(count);
      return isAllOf(found, count) ? found : moreOf(found, await file.last(count));
    },
    async since(id) {
      const found = await messages({ since: id });
      if (found === 'unknown id') return null;
      return found ?? (await file.since(id));
    },
  };
}

/** A loop does not return everything at once: it leaves out older messages and large bodies. */
function isAllOf(found: readonly BusMessage[], count: number): boolean {
  return found.length >= count && found.every(({ body_left_out }) => body_left_out === undefined);
}

function moreOf(told: readonly BusMessage[], written: readonly BusMessage[]): readonly BusMessage[] {
  return written.length >= told.length ? written : told;
}

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
