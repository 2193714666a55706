import { noteOverDoor } from './note-over-door.ts';
import { ownTask, refuseForeignTask } from './own-task.ts';
import type { Standpoint } from './work-tree.ts';

/** The agent of a loop says that its task is complete, wherever it stands. False: whoever asks is none, or no loop answers. */
export async function noteOwnTask(id: string, { cwd, env }: Standpoint): Promise<boolean> {
  const own = ownTask(env);
  if (own === null) return false;
  refuseForeignTask(own, id);
  return await noteOverDoor(own, { env, top: cwd });
}
