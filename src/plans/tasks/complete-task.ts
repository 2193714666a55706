import type { PlanTask } from '../../journal/words/plan.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { checkOutputs } from '../../proof/output-check.ts';
import { gitAt } from '../../workspace/git/plain-repository.ts';
import { formOf } from '../forms.ts';
import { type Hold, registerName, unlockedBy } from '../graph/standing.ts';
import { holdOf } from '../holds/hold-of.ts';
import { releaseHold } from '../holds/hold-task.ts';
import { openPlanStore } from '../open-plan-store.ts';
import type { PlanPlace, Tasks } from './open-tasks.ts';
import { holderHere, type OwnTask, ownTask } from './own-task.ts';
import { readWorkableTasks, standingIn, type TasksSnapshot, taskNamed } from './read-tasks.ts';
import { firstRed, type VerifyRequest } from './run-verify.ts';
import { timeText, unmetNeeds } from './why-not-claimed.ts';
import type { CallerPlace } from './work-tree.ts';
import { writeStatus } from './write-status.ts';

/** noted: the loop that gave out the task will check it. already: there was nothing to do. */
export type Completion =
  | { readonly kind: 'noted' }
  | { readonly kind: 'already' }
  | { readonly kind: 'completed'; readonly unlocked: readonly string[]; readonly warnings: readonly string[] };

export interface CompleteTaskRequest extends Verifying {
  readonly id: string;
  /** Skip all checks, which is recorded. */
  readonly force: boolean;
}

/**
 * An agent of a loop that does not answer leaves a claim in its own plan, which the loop proves later. For everybody else it is proven here, and then written.
 */
export async function completeTask(open: () => Promise<Tasks>, { env }: CallerPlace, request: CompleteTaskRequest, signal: AbortSignal): Promise<Completion> {
  const own = ownTask(env);
  if (own === null) return await completeByHand(await open(), request, signal);
  await noteInOwnPlan(await open(), own);
  return { kind: 'noted' };
}

async function completeByHand(tasks: Tasks, request: CompleteTaskRequest, signal: AbortSignal): Promise<Completion> {
  refuseStories(tasks, request.id);
  const snapshot = await readWorkableTasks(tasks);
  const task = taskNamed(snapshot.plan, request.id, tasks);
  if (standingIn(snapshot, task.id) === 'complete') return await finishWhatWasBegun(tasks, task, snapshot);
  const atHand = { tasks, task, sight: snapshot };
  if (request.force) return await complete(atHand, 'force-completed', []);
  return await complete(atHand, 'completed', await proven(atHand, request, signal));
}

/** A story that passes without a review would be approved by nobody. */
function refuseStories({ place: { plan } }: Tasks, id: string): void {
  if (!formOf(plan.kind).isReviewed) return;
  throw new OperatorError('story-not-completed', `${id} is a story of ${plan.path}: a review approves it; it cannot be completed by hand`, {
    hint: `Work on it with ralph work --plan ${plan.path}.`,
    exitCode: 2,
  });
}

/** After a crash between register and plan, the task is complete in the register only. What a run has merged is written by its merge. */
async function finishWhatWasBegun({ store }: Tasks, { id, status }: PlanTask, { holds }: TasksSnapshot): Promise<Completion> {
  if (status !== 'complete' && holds.get(id)?.register?.holder?.run === null) await writeStatus(store, id, 'complete', Date.now());
  return { kind: 'already' };
}

/** Returns the warnings. Throws if anything speaks against it. */
async function proven(atHand: TaskToComplete, { timeoutMs, onBegin, onEnd }: Verifying, signal: AbortSignal): Promise<readonly string[]> {
  const { why, warnings } = await whyNotComplete(atHand, { timeoutMs, onBegin, onEnd }, signal);
  if (why.length === 0) return warnings;
  const { tasks, task } = atHand;
  const notes = why.join('; ');
  await tasks.audit({ event: 'complete-blocked', task_id: task.id, old_status: task.status, new_status: task.status, trigger: holderName(tasks).name, notes });
  throw new OperatorError('task-not-complete', notes, {
    hint: `Fix that, or use ralph task complete ${task.id} --force, which is recorded.`,
    exitCode: 2,
  });
}

/** The register is written first: it shows whether somebody has taken the task meanwhile, and it counts even if the plan is never written. */
async function complete(
  { tasks, task, sight: snapshot }: TaskToComplete,
  event: 'completed' | 'force-completed',
  warnings: readonly string[],
): Promise<Completion> {
  const nowMs = Date.now();
  const hold = snapshot.holds.get(task.id);
  const isOurs = await releaseHold(tasks, { planPath: tasks.place.plan.path, task: task.id, n: hold?.n ?? 0, ...doneBy(tasks, hold, nowMs) });
  if (!isOurs) throw takenMeanwhile(task.id);
  await writeStatus(tasks.store, task.id, 'complete', nowMs);
  await tasks.audit({ event, task_id: task.id, old_status: task.status, new_status: 'complete', trigger: holderName(tasks).name });
  return { kind: 'completed', unlocked: unlockedBy(snapshot.plan, snapshot.standings, task.id), warnings };
}

function doneBy(tasks: Tasks, hold: Hold | undefined, at: number) {
  const { branch = null, base = null, tries = 0 } = hold?.register ?? {};
  return {
    state: 'done',
    holder: { name: holderName(tasks).name, run: null, lane: null, process: null },
    key: '',
    at,
    branch,
    base,
    tries,
    feedback: '',
  } as const;
}

const holderName = ({ place }: Tasks) => holderHere(place).holder;

function takenMeanwhile(id: string): OperatorError {
  return new OperatorError('task-taken', `${id} was taken by somebody else meanwhile: nothing was written`, {
    hint: `ralph task show ${id} shows who holds it.`,
    exitCode: 2,
  });
}

/**
 * For an agent whose loop does not answer: a sandbox blocks the socket, or the loop is gone. The agent writes `complete` into the plan of its own worktree,
 * where the loop, or the next holder, finds it as a claim. The plan at its home is not the agent's to write.
 */
async function noteInOwnPlan(tasks: Tasks, own: OwnTask): Promise<void> {
  await refuseOldHolder(tasks, own);
  const { place } = tasks;
  if (place.top === place.home) throw unheard(own.task);
  // A sandbox that blocks the socket also blocks the cache folder.
  await writeStatus(openPlanStore({ ...place.plan, top: place.top, cacheFolder: null }), own.task, 'complete', Date.now());
}

/** A holder with an old number does not notice that the task went on without it. */
async function refuseOldHolder({ registers, livenessOf, place }: Tasks, { task, n }: OwnTask): Promise<void> {
  const found = await registers.get(registerName(place.plan.path, task));
  const hold = found === null ? null : holdOf(found, livenessOf);
  if (hold?.n === n && hold.register?.state === 'held') return;
  const now = hold === null ? 'nobody holds it' : `it is ${hold.register?.state ?? 'unreadable'} under number ${hold.n}`;
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

/** A task to complete, and the plan around it. */
export interface TaskToComplete {
  readonly tasks: Tasks;
  readonly task: PlanTask;
  readonly sight: TasksSnapshot;
}

/** How the commands of a task run, and who is told. */
export type Verifying = Pick<VerifyRequest, 'timeoutMs' | 'onBegin' | 'onEnd'>;

export interface Objections {
  /** What speaks against it, cheapest checks first. */
  readonly why: readonly string[];
  /** Problems that do not prevent it. */
  readonly warnings: readonly string[];
}

async function whyNotComplete({ tasks, task, sight: snapshot }: TaskToComplete, verifying: Verifying, signal: AbortSignal): Promise<Objections> {
  const { place } = tasks;
  const others = whoElseHas(snapshot.holds.get(task.id), holderHere(place).holder.name);
  if (others !== null) return objection(`${task.id} ${others}`);
  const unmet = unmetNeeds(task, snapshot);
  if (unmet.length > 0) return objection(`${task.id} waits for ${unmet.join(', ')}`);
  const { missing, warnings } = await checkOutputs(place.top, task.outputs);
  const why = missing.length > 0 ? missing : await uncommittedOutputs(task.outputs, place);
  if (why.length > 0) return { why, warnings };
  const commands = [...new Set([...task.verify, ...snapshot.plan.verify])];
  const red = await firstRed({ ...verifying, commands, cwd: place.top, env: place.env }, signal);
  if (red === null) return { why: [], warnings: [...warnings, ...(await unmergedWork(place))] };
  return { why: [`${red.command} is red (${red.ending})${red.line === '' ? '' : `: ${red.line}`}`], warnings };
}

const objection = (why: string): Objections => ({ why: [why], warnings: [] });

/** Null: nobody else holds it, or the holder is dead. */
function whoElseHas(hold: Hold | undefined, holderName: string): string | null {
  if (hold === undefined || hold.liveness === 'dead') return null;
  if (hold.register === null) return 'has a register that cannot be read, so nobody knows who has it';
  const { state, holder, at } = hold.register;
  if (state !== 'held' || (holder?.process === null && holder.name === holderName)) return null;
  return `is held by ${printable(holder?.name ?? 'somebody')} since ${timeText(at)}: it is theirs to complete`;
}

/** Which of these outputs are not in the last commit as they are, one line each. Without git nothing is checked. */
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

/** A warning for a completion in another work tree than the plan's, because other tasks start from the plan's. */
async function unmergedWork({ top, home, env, commonDir }: PlanPlace): Promise<readonly string[]> {
  if (commonDir === null || top === home) return [];
  const head = (await gitAt(top, env)(['rev-parse', '--verify', '--quiet', 'HEAD'])).stdout.trim();
  const { code } = await gitAt(home, env)(['merge-base', '--is-ancestor', head, 'HEAD']);
  return code === 1 ? [`The commits of this worktree are not in ${home} yet: merge them before the next task begins`] : [];
}
