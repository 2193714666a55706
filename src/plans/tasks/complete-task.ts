import type { Hold } from '../graph/standing.ts';
import { unlockedBy } from '../graph/unlocked-by.ts';
import { letGo } from '../holds/hold-task.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { PlanTask } from '../../journal/words/plan.ts';
import { holderHere } from './holder-here.ts';
import { lookAtWork, standingIn, type TasksSight, taskNamed } from './look-at-tasks.ts';
import { noteInOwnPlan } from './note-in-own-plan.ts';
import type { Tasks } from './open-tasks.ts';
import { ownTask } from './own-task.ts';
import { type TaskAtHand, type Verifying, whyNotComplete } from './why-not-complete.ts';
import type { Standpoint } from './work-tree.ts';
import { writeStatus } from './write-status.ts';

/** noted: whoever gave out the task will check it. already: there was nothing to do. */
export type Completion =
  | { readonly kind: 'noted' }
  | { readonly kind: 'already' }
  | { readonly kind: 'completed'; readonly unlocked: readonly string[]; readonly warnings: readonly string[] };

export interface CompletionWish extends Verifying {
  readonly id: string;
  /** Without any guard, which is written down. */
  readonly force: boolean;
}

/** For the agent of a loop whose door is shut it is a claim in its own plan, which the loop proves; for everybody else it is proven here and then written. */
export async function completeTask(open: () => Promise<Tasks>, { env }: Standpoint, wish: CompletionWish, signal: AbortSignal): Promise<Completion> {
  const own = ownTask(env);
  if (own === null) return await completeByHand(await open(), wish, signal);
  await noteInOwnPlan(await open(), own);
  return { kind: 'noted' };
}

async function completeByHand(tasks: Tasks, wish: CompletionWish, signal: AbortSignal): Promise<Completion> {
  refuseStories(tasks, wish.id);
  const sight = await lookAtWork(tasks);
  const task = taskNamed(sight.plan, wish.id, tasks);
  if (standingIn(sight, task.id) === 'complete') return await finishWhatWasBegun(tasks, task, sight);
  const atHand = { tasks, task, sight };
  if (wish.force) return await complete(atHand, 'force-completed', []);
  return await complete(atHand, 'completed', await proven(atHand, wish, signal));
}

/** A story that passes without a review would be one that nobody approved. */
function refuseStories({ place: { plan } }: Tasks, id: string): void {
  if (plan.kind !== 'stories') return;
  throw new OperatorError('story-not-completed', `${id} is a story of ${plan.path}: a review approves it, nobody completes it by hand`, {
    hint: `Work on it with ralph work --plan ${plan.path}.`,
    exitCode: 2,
  });
}

/** Killed between register and plan, it is complete by the one and not yet by the other. What a run has merged is written by its merge. */
async function finishWhatWasBegun({ store }: Tasks, { id, status }: PlanTask, { holds }: TasksSight): Promise<Completion> {
  if (status !== 'complete' && holds.get(id)?.register?.holder?.run === null) await writeStatus(store, id, 'complete', Date.now());
  return { kind: 'already' };
}

/** What only looks odd. Throws with what speaks against it. */
async function proven(atHand: TaskAtHand, { timeoutMs, onBegin, onEnd }: Verifying, signal: AbortSignal): Promise<readonly string[]> {
  const { why, warnings } = await whyNotComplete(atHand, { timeoutMs, onBegin, onEnd }, signal);
  if (why.length === 0) return warnings;
  const { tasks, task } = atHand;
  const notes = why.join('; ');
  await tasks.audit({ event: 'complete-blocked', task_id: task.id, old_status: task.status, new_status: task.status, trigger: us(tasks).name, notes });
  throw new OperatorError('task-not-complete', notes, {
    hint: `See to it; or say ralph task complete ${task.id} --force, which is written down.`,
    exitCode: 2,
  });
}

/** The register goes first: it tells who has taken the task meanwhile, and it counts even if nobody comes to write the plan. */
async function complete({ tasks, task, sight }: TaskAtHand, event: 'completed' | 'force-completed', warnings: readonly string[]): Promise<Completion> {
  const nowMs = Date.now();
  const hold = sight.holds.get(task.id);
  const isOurs = await letGo(tasks, { planPath: tasks.place.plan.path, task: task.id, n: hold?.n ?? 0, ...doneBy(tasks, hold, nowMs) });
  if (!isOurs) throw takenMeanwhile(task.id);
  await writeStatus(tasks.store, task.id, 'complete', nowMs);
  await tasks.audit({ event, task_id: task.id, old_status: task.status, new_status: 'complete', trigger: us(tasks).name });
  return { kind: 'completed', unlocked: unlockedBy(sight.plan, sight.standings, task.id), warnings };
}

function doneBy(tasks: Tasks, hold: Hold | undefined, at: number) {
  const { branch = null, base = null, tries = 0 } = hold?.register ?? {};
  return { state: 'done', holder: { name: us(tasks).name, run: null, lane: null, process: null }, key: '', at, branch, base, tries, feedback: '' } as const;
}

const us = ({ place }: Tasks) => holderHere(place).holder;

function takenMeanwhile(id: string): OperatorError {
  return new OperatorError('task-taken', `${id} has changed hands meanwhile: nothing was written`, {
    hint: `ralph task show ${id} tells who has it.`,
    exitCode: 2,
  });
}
