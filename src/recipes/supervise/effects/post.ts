import type { EffectHandler } from '../../../engine/contracts.ts';
import type { TaskFolderPorts } from '../../../engine/ports/ports.ts';
import type { Bus } from '../../../engine/ports/supervision.ts';
import type { Post } from '../../../journal/effects/task-effect.ts';

const KEY = 'propagation_key';
/** How many messages other runs may have posted between our death and the resume. */
const LOOKED_THROUGH = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Posts a message exactly once. A bus that refuses it is reported, and is no reason to call the work undone (seed 002: best effort). */
export const post: EffectHandler<Post, TaskFolderPorts> = {
  async perform({ key, message, bus }, ports) {
    try {
      return { type: 'posted', key, msg_id: await busOf(bus, ports).post(message), problem: null };
    } catch (error) {
      return { type: 'posted', key, msg_id: null, problem: (error as Error).message };
    }
  },

  /** The message has a key of the run. */
  async find({ key, message, bus }, ports) {
    const wanted = message.meta?.[KEY];
    const messages = await busOf(bus, ports)
      .last(LOOKED_THROUGH, MOST_BYTES)
      .catch(() => []);
    const found = messages.findLast(({ meta }) => wanted !== undefined && meta?.[KEY] === wanted);
    return found ? { type: 'posted', key, msg_id: found.msg_id, problem: null } : null;
  },
};

function busOf(bus: Post['bus'], ports: TaskFolderPorts): Bus {
  const { taskBus, projectBus } = ports.supervision;
  return bus === 'task' ? taskBus : projectBus;
}
