import { basename } from 'node:path';
import type { EffectHandler } from '../../../engine/contracts.ts';
import type { Supervision, TaskFolderPorts } from '../../../engine/ports/ports.ts';
import type { Bus } from '../../../engine/ports/supervision.ts';
import type { LookAtTask, RefuseDone } from '../../../journal/effects/task-effect.ts';
import type { TaskSeen, WaitRequest } from '../../../journal/events/task.ts';
import type { BusMessage } from '../../../journal/messages.ts';
import { printable, truncateCodePoints } from '../../../kit/pure/text.ts';

/** The type of a message that asks not to be restarted (seed 002). */
const WAITS = 'wait_without_restart';
const REASON_CHARS = 500;
/** If an agent posted more than this, only the newest messages count. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Reads the task folder, its bus and its children. */
export const lookAtTask: EffectHandler<LookAtTask, TaskFolderPorts> = {
  async perform({ key, before, after_an_attempt, since }, ports): Promise<TaskSeen> {
    const { task, children, taskBus } = ports.supervision;
    return {
      type: 'task.seen',
      key,
      before,
      done: await task.done(),
      wait: await waitsBecause(ports, after_an_attempt, since),
      children: [...(await children.active())],
      blocked_by: [...(await task.blockedBy())],
      bus_mark: (await heard(taskBus.last(1, MOST_BYTES))).at(-1)?.msg_id ?? null,
    };
  },

  /** Safe to repeat: it changes nothing. */
  find: async () => null,
};

async function waitsBecause(ports: TaskFolderPorts, hasRun: boolean, since: string | null): Promise<WaitRequest | null> {
  const { supervision } = ports;
  const marker = await supervision.task.waitMarker();
  if (marker !== null) return { by: 'marker', reason: marker.trim() || 'WAIT_WITHOUT_RESTART is there' };
  return hasRun ? await askedOnTheBus(supervision, basename(ports.place.runFolder), since) : null;
}

/** Only messages since the last start of the agent count, from the agent or from a person: a child speaks only for itself. If the starting point is gone, the bus was rotated, so everything in it is newer. */
async function askedOnTheBus({ taskBus }: Supervision, run: string, since: string | null): Promise<WaitRequest | null> {
  const messages = await messagesSince(taskBus, since);
  const asked = messages.findLast(({ type, run_id = run }) => type.toLowerCase() === WAITS && run_id === run);
  return asked ? { by: 'bus', reason: reasonIn(asked.body) || 'the agent asked for it on the bus' } : null;
}

async function messagesSince(bus: Bus, since: string | null): Promise<readonly BusMessage[]> {
  const bytes = since === null ? null : await bus.bytesSince(since).catch(() => null);
  const isBounded = bytes !== null && bytes <= MOST_BYTES;
  return (isBounded && since !== null ? await heard(bus.since(since)) : null) ?? (await heard(bus.last(1_000, MOST_BYTES)));
}

/** On one line that is safe to show. */
function reasonIn(body: string): string {
  return truncateCodePoints(printable(body.replaceAll(/\s+/g, ' ').trim()), REASON_CHARS, ' [...]');
}

/** A bus that an agent has damaged counts as empty; that is no reason to stop. */
async function heard<T>(reading: Promise<T>): Promise<T | []> {
  return await reading.catch(() => []);
}

/** Deletes nothing: the agent's file stays beside its old place. */
export const refuseDone: EffectHandler<RefuseDone, TaskFolderPorts> = {
  async perform({ key, number }, ports) {
    return { type: 'done.refused', key, renamed: await ports.supervision.task.refuseDone(number) };
  },

  /** The next look decides: either DONE is gone, or it is judged again. */
  find: async () => null,
};
