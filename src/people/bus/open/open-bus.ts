import { basename } from 'node:path';
import { askDoor } from '../../../door/door-client.ts';
import type { BusMessage } from '../../../journal/messages.ts';
import { PROJECT_BUS } from '../../../store/task-place.ts';
import { type FileBus, openFileBus } from '../file-bus.ts';
import type { BusPlace, FoundBus } from './find-bus.ts';

/** A bus that has grown to this is put aside: what is older, hardly anybody reads any more. */
const ROTATE_BYTES = 64 * 1024 * 1024;

export function openBusFile(path: string): FileBus {
  return openFileBus(path, { rotateBytes: ROTATE_BYTES });
}

/** Over the door of the agent's own loop if it is the agent's own bus, else in its file. */
export function openBus({ path, by }: FoundBus, { env }: Pick<BusPlace, 'env'>): FileBus {
  const file = openBusFile(path);
  const door = by === 'environment' ? ownDoor(env) : null;
  return door === null ? file : busBehindDoor(door, basename(path) === PROJECT_BUS ? 'project' : 'task', file);
}

/** The door of another loop, from which a job may have come, has other buses behind it. */
function ownDoor(env: BusPlace['env']): string | null {
  const socket = env['RALPH_SOCKET'] || null;
  return socket !== null && basename(socket) === `${env['RALPH_RUN_ID']}.sock` ? socket : null;
}

/** The door answers no more at once. */
const MOST_BEHIND_DOOR = 10_000;

/** A bus that its loop writes and reads for us. When it does not answer, or cannot, the file does. */
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
      // Bytes that are no text do not go through JSON.
      if (posting.body_base64 !== undefined) return await file.post(posting);
      const answer = await askDoor(socket, { method: 'POST', path: '/v1/bus', body: { ...posting, bus } });
      const { msg_id } = answer.kind === 'answered' && answer.status === 201 ? (answer.body as { readonly msg_id?: string }) : {};
      // One that was broken off may be on the bus already. Twice is better than not at all.
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

/** A loop does not tell everything at once: older ones it leaves out, and large bodies. */
function isAllOf(found: readonly BusMessage[], count: number): boolean {
  return found.length >= count && found.every(({ body_left_out }) => body_left_out === undefined);
}

function moreOf(told: readonly BusMessage[], written: readonly BusMessage[]): readonly BusMessage[] {
  return written.length >= told.length ? written : told;
}
