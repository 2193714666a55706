import { oneLine } from '../../../kit/pure/one-line.ts';
import type { PlanEdit } from '../../../journal/words/plan.ts';
import type { Merge } from '../../../journal/effects/work-effect.ts';
import { fittingEdits } from './fitting-edits.ts';
import type { PlanReading, PlanStore } from '../../../engine/ports/plan-store.ts';

/** The plan in the scratch worktree, as it was before the gates. */
export interface MergedPlan {
  /** Writes that the task is complete, with what its agent has added, into the very plan that was read. `notes`: what could not be written, and why. */
  complete(effect: Merge, nowMs: number): Promise<Written>;
}

interface Written {
  readonly isWritten: boolean;
  readonly notes: readonly string[];
}

export async function openMergedPlan(store: PlanStore): Promise<MergedPlan> {
  const reading = await store.read();
  return {
    async complete({ task, edits }, nowMs) {
      if (reading === null) return not('it is not in the merged tree');
      if (reading.plan === null) return not('it cannot be read in the merged tree');
      const [status, ...others] = fittingEdits(reading.plan, [{ kind: 'status', id: task.id, status: 'complete', at_ms: nowMs }, ...edits]);
      if (status?.kind !== 'status') return not(`it has no task ${oneLine(task.id)} any more`);
      const left = edits.length - others.length;
      const written = await writeAll(store, reading, { status, others });
      return left === 0 ? written : { ...written, notes: [`${left} edit(s) of the plan no longer fit it`, ...written.notes] };
    },
  };
}

/** What an agent thought up must not keep what it has done from being told. */
async function writeAll(store: PlanStore, reading: PlanReading, { status, others }: { status: PlanEdit; others: readonly PlanEdit[] }): Promise<Written> {
  const why = await write(store, reading, [status, ...others]);
  if (why === null) return { isWritten: true, notes: [] };
  if (others.length === 0 || (await write(store, reading, [status])) !== null) return not(why);
  return { isWritten: true, notes: [`what its agent added to the plan was not written: ${why}`] };
}

const not = (why: string): Written => ({ isWritten: false, notes: [`the plan was not written: ${why}`] });

/** Null: it is written. Else why not. */
async function write(store: PlanStore, { digest }: PlanReading, edits: readonly PlanEdit[]): Promise<string | null> {
  try {
    return (await store.write(digest, edits)) === 'written' ? null : 'a gate has changed it';
  } catch (error) {
    return oneLine((error as Error).message);
  }
}
