import { basename } from 'node:path';
import { type FileBus, openFileBus } from '../file-bus.ts';
import { busBehindDoor } from './bus-behind-door.ts';
import { PROJECT_BUS } from '../../../store/bus-names.ts';
import type { BusPlace, FoundBus } from './bus-wish.ts';

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
