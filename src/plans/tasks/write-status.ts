import type { PlanStore } from '../../engine/ports/stores.ts';
import type { TaskStatus } from '../../journal/words/plan.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** Each time somebody else was faster with another edit. */
const MOST_TRIES = 100;

/** Writes the status of one task into a plan, whatever others write there meanwhile. */
export async function writeStatus(store: PlanStore, id: string, status: TaskStatus, nowMs: number): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const reading = await store.read();
    if (!reading?.plan) throw notWritten('it is not there, or cannot be read');
    const task = reading.plan.tasks.find((each) => each.id === id);
    if (task === undefined) throw notWritten(`${id} is not in it`);
    if (task.status === status) return;
    if ((await store.write(reading.digest, [{ kind: 'status', id, status, at_ms: nowMs }])) === 'written') return;
  }
  throw notWritten('it is being changed all the time');
}

function notWritten(why: string): OperatorError {
  return new OperatorError('plan-not-written', `the plan could not be written: ${why}`, { hint: 'Try again when nobody else edits the plan.', exitCode: 4 });
}
