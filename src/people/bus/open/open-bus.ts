import { basename } from 'node:path';
import { askDoor } from '../../../door/door-client.ts';
import type { BusMessage } from '../../../journal/messages.ts';
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
