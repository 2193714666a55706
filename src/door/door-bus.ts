import type { BusAsked, BusWanted } from '../journal/door-request.ts';
import type { Bus } from '../engine/ports/bus.ts';
import { type Answer, refusal } from './door-requests.ts';
import type { DoorRooms, House } from './door-rooms.ts';

/** Posts a message for somebody who need not say whose it is. */
export async function postForThem({ bus, ...message }: BusAsked, { state }: House, rooms: DoorRooms): Promise<Answer> {
  const run = state().run?.id;
  const whose = { project_id: rooms.project, task_id: rooms.task, ...(run === undefined ? {} : { run_id: run }) };
  const msg_id = await busNamed(bus, rooms).post({ ...whose, ...message, project_id: message.project_id ?? rooms.project });
  return { status: 201, body: { msg_id } };
}

/** What is told at once. Who wants more has the file. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Of the last ones only as many as can be told; of those after one all, or none. */
export async function readForThem({ bus, tail, since }: BusWanted, rooms: DoorRooms): Promise<Answer> {
  const source = busNamed(bus, rooms);
  if (since === null) return { status: 200, body: { messages: await source.last(tail, MOST_BYTES) } };
  const bytes = await source.bytesSince(since);
  if (bytes !== null && bytes > MOST_BYTES) return refusal(413, `more than ${MOST_BYTES} bytes have come since; read them in ${source.path}`);
  const later = bytes === null ? null : await source.since(since);
  return later === null ? refusal(404, `since id ${since} not found`) : { status: 200, body: { messages: later } };
}

function busNamed(bus: 'task' | 'project', { supervision: { taskBus, projectBus } }: DoorRooms): Bus {
  return bus === 'task' ? taskBus : projectBus;
}
