import { openPlanStore } from '../open-plan-store.ts';
import { registerName } from '../graph/register-name.ts';
import { holdOf } from '../holds/hold-of.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Tasks } from './open-tasks.ts';
import type { OwnTask } from './own-task.ts';
import { writeStatus } from './write-status.ts';

/**
 * For an agent whose loop does not answer: a sandbox has shut the door, or the loop is gone. It says `complete` in the plan of its own
 * worktree, where the loop, or whoever goes on with the task, finds it as a claim. The plan at its home is not the agent's to write.
 */
export async function noteInOwnPlan(tasks: Tasks, own: OwnTask): Promise<void> {
  await refuseZombie(tasks, own);
  const { place } = tasks;
  if (place.top === place.home) throw unheard(own.task);
  // A sandbox that shuts the door lets nobody write where the cache lies.
  await writeStatus(openPlanStore({ ...place.plan, top: place.top, cacheFolder: null }), own.task, 'complete', Date.now());
}

/** Whoever holds an old number may look alive to itself; the task has gone on without it. */
async function refuseZombie({ registers, livenessOf, place }: Tasks, { task, n }: OwnTask): Promise<void> {
  const found = await registers.get(registerName(place.plan.path, task));
  const hold = found === null ? null : holdOf(found, livenessOf);
  if (hold?.n === n && hold.register?.state === 'held') return;
  const now = hold === null ? 'nobody has it' : `it is ${hold.register?.state ?? 'unreadable'} under number ${hold.n}`;
  throw new OperatorError('task-refused', `${task} is no longer yours: you had it under number ${n}, and ${now}`, {
    hint: 'Nothing was written. End here.',
    exitCode: 2,
  });
}

function unheard(id: string): OperatorError {
  return new OperatorError('task-refused', `the loop that gave you ${id} does not answer`, {
    hint: `Run ralph task complete ${id} in the worktree you were given.`,
    exitCode: 4,
  });
}
