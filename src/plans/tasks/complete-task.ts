import type { PlanTask } from '../../journal/words/plan.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { checkOutputs } from '../../proof/output-check.ts';
import { gitAt } from '../../workspace/worktrees/open.ts';
import { type Hold, registerName, unlockedBy } from '../graph/standing.ts';
import { holdOf } from '../holds/hold-of.ts';
import { letGo } from '../holds/hold-task.ts';
import { openPlanStore } from '../open-plan-store.ts';
import { lookAtWork, standingIn, type TasksSight, taskNamed } from './look-at-tasks.ts';
import type { PlanPlace, Tasks } from './open-tasks.ts';
import { holderHere, type OwnTask, ownTask } from './own-task.ts';
import { firstRed, type VerifyRequest } from './run-verify.ts';
import { timeText, unmetNeeds } from './why-not-claimed.ts';
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

/**
 * For an agent whose loop does not answer: a sandbox has shut the door, or the loop is gone. It says `complete` in the plan of its own
 * worktree, where the loop, or whoever goes on with the task, finds it as a claim. The plan at its home is not the agent's to write.
 */
async function noteInOwnPlan(tasks: Tasks, own: OwnTask): Promise<void> {
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

/** A task that somebody wants to be complete, and the plan around it. */
export interface TaskAtHand {
  readonly tasks: Tasks;
  readonly task: PlanTask;
  readonly sight: TasksSight;
}

/** How the commands of a task are run, and who sees it. */
export type Verifying = Pick<VerifyRequest, 'timeoutMs' | 'onBegin' | 'onEnd'>;

export interface Objections {
  /** What speaks against it, in the order of what it costs to find out. */
  readonly why: readonly string[];
  /** What only looks odd. */
  readonly warnings: readonly string[];
}

async function whyNotComplete({ tasks, task, sight }: TaskAtHand, verifying: Verifying, signal: AbortSignal): Promise<Objections> {
  const { place } = tasks;
  const others = whoElseHas(sight.holds.get(task.id), holderHere(place).holder.name);
  if (others !== null) return objection(`${task.id} ${others}`);
  const unmet = unmetNeeds(task, sight);
  if (unmet.length > 0) return objection(`${task.id} waits for ${unmet.join(', ')}`);
  const { missing, warnings } = await checkOutputs(place.top, task.outputs);
  const why = missing.length > 0 ? missing : await uncommittedOutputs(task.outputs, place);
  if (why.length > 0) return { why, warnings };
  const commands = [...new Set([...task.verify, ...sight.plan.verify])];
  const red = await firstRed({ ...verifying, commands, cwd: place.top, env: place.env }, signal);
  if (red === null) return { why: [], warnings: [...warnings, ...(await unmergedWork(place))] };
  return { why: [`${red.command} is red (${red.ending})${red.line === '' ? '' : `: ${red.line}`}`], warnings };
}

const objection = (why: string): Objections => ({ why: [why], warnings: [] });

/** Null: nobody else, or somebody who is gone. */
function whoElseHas(hold: Hold | undefined, us: string): string | null {
  if (hold === undefined || hold.liveness === 'dead') return null;
  if (hold.register === null) return 'has a register that cannot be read, so nobody knows who has it';
  const { state, holder, at } = hold.register;
  if (state !== 'held' || (holder?.process === null && holder.name === us)) return null;
  return `is held by ${printable(holder?.name ?? 'somebody')} since ${timeText(at)}: it is theirs to complete`;
}

/** Which of these outputs the last commit does not have as they are, one line each. Without git nothing can be said against them. */
async function uncommittedOutputs(outputs: readonly string[], { top, env, commonDir }: PlanPlace): Promise<readonly string[]> {
  if (commonDir === null) return [];
  const git = gitAt(top, env);
  const found: string[] = [];
  for (const output of new Set(outputs)) {
    const path = `:(top,literal)${output}`;
    const tracked = await git(['ls-files', '-z', '--', path]);
    const changed = await git(['status', '--porcelain', '-z', '--untracked-files=all', '--', path]);
    if (tracked.code !== 0 || changed.code !== 0) found.push(`Git cannot tell whether the output is committed: ${output}`);
    else if (tracked.stdout === '') found.push(`Output is not committed: ${output}`);
    else if (changed.stdout !== '') found.push(`Output has uncommitted changes: ${output}`);
  }
  return found;
}

/** A warning for whoever completes a task in another work tree than the plan's: others begin with what the plan's has. */
async function unmergedWork({ top, home, env, commonDir }: PlanPlace): Promise<readonly string[]> {
  if (commonDir === null || top === home) return [];
  const head = (await gitAt(top, env)(['rev-parse', '--verify', '--quiet', 'HEAD'])).stdout.trim();
  const { code } = await gitAt(home, env)(['merge-base', '--is-ancestor', head, 'HEAD']);
  return code === 1 ? [`The commits of this worktree are not in ${home} yet: merge them before the next task begins`] : [];
}
