import { assertNever } from '../../kit/pure/assert-never.ts';
import { mergeFailures } from '../../proof/judge/turn-feedback.ts';
import type { AttemptEnded } from '../events/attempt.ts';
import type { ReceiptWritten } from '../events/gates.ts';
import type { WorkEvent } from '../events/recipe-events.ts';
import type { BaseBrought, MergeJudged, MergeProven, PlanSettled, TaskClaimed, TaskLost, TaskReleased, WorkspaceOpened } from '../events/work.ts';
import type { ClosedIteration, OpenIteration, Proof, RunState, Tally } from '../state/state.ts';
import type { CurrentTask, TaskCounts, TriedTask, WorkState } from '../state/work-state.ts';
import { afterLivingFound, factOf } from './gates.ts';
import { withIteration, withoutEffect } from './iterations.ts';

/** Applies the events that only a run on a plan has. */
export function evolvedWork(state: RunState, body: WorkEvent, atMs: number): RunState {
  switch (body.type) {
    case 'task.taken': {
      const { type: _, key, ...taken } = body;
      return withWork(withoutEffect(state, key), {
        asked: state.tasks.asked + 1,
        taken,
        noTask: null,
        planProblem: null,
        ...unparked(state.tasks, taken.task.id),
      });
    }
    case 'task.none': {
      const { type: _, key, ...nothing } = body;
      return withWork(withoutEffect(state, key), {
        asked: state.tasks.asked + 1,
        noTask: { ...nothing, sinceMs: state.tasks.noTask?.sinceMs ?? atMs, atMs },
        planProblem: null,
      });
    }
    case 'plan.troubled':
      return withWork(withoutEffect(state, body.key), {
        asked: state.tasks.asked + 1,
        planProblem: { why: body.why, sinceMs: state.tasks.planProblem?.sinceMs ?? atMs, atMs },
      });
    case 'task.claimed':
    case 'task.lost':
      return afterClaimOrLoss(state, body);
    case 'workspace.opened':
      return withTask(withoutEffect(state, body.key), body.iteration, () => opened(body));
    case 'plan.settled':
      return withTask(withoutEffect(state, body.key), body.iteration, (hand) => settled(hand, body));
    case 'merge.proven':
      return withIteration(state, body.iteration, (iteration) => ({ ...iteration, mergeProof: { onto: body.onto, proof: proofOf(iteration, body) } }));
    case 'merge.judged':
      return afterMerge(withoutEffect(state, body.key), body);
    case 'base.brought':
      return withTask(withoutEffect(state, body.key), body.iteration, (hand) => brought(hand, body));
    case 'task.released':
      return afterRelease(withoutEffect(state, body.key), body);
    case 'workspace.closed':
      return withTask(withoutEffect(state, body.key), body.iteration, () => ({ isClosed: true }));
    default:
      return assertNever(body);
  }
}

/** A task that is taken again is no longer parked. */
function unparked({ proofs }: WorkState, task: string): Partial<WorkState> {
  return proofs === undefined ? {} : { proofs: proofs.map((each) => (each.task === task ? { ...each, isParked: false } : each)) };
}

const MOST_PROOFS = 100;

/** Only the last claim of a task counts. Claims that wait for a person are never dropped. */
function withProof({ proofs = [] }: WorkState, { iteration, proof }: MergeJudged, task: string): Partial<WorkState> {
  if (proof === undefined) return {};
  const { results: _, ...kept } = proof;
  const others = proofs.filter((each) => each.task !== task);
  const latest = others.filter(({ isParked }) => !isParked).slice(-MOST_PROOFS);
  return { proofs: [...others.filter(({ isParked }) => isParked), ...latest, { task, iteration, isParked: false, proof: kept }] };
}

function withWork(state: RunState, change: Partial<WorkState>): RunState {
  return { ...state, tasks: { ...state.tasks, ...change } };
}

function withTask(state: RunState, number: number, change: (hand: CurrentTask) => Partial<CurrentTask>): RunState {
  return withIteration(state, number, (iteration) =>
    iteration.currentTask === null ? iteration : { ...iteration, currentTask: { ...iteration.currentTask, ...change(iteration.currentTask) } },
  );
}

/** Events about a task count only with its current fencing number. Those of an earlier holder are ignored. */
function afterClaimOrLoss(state: RunState, body: TaskClaimed | TaskLost): RunState {
  const iteration = state.open.find(({ currentTask }) => currentTask?.task.id === body.task && currentTask.n === body.n);
  if (!iteration) return state;
  return withTask(state, iteration.number, () => (body.type === 'task.claimed' ? { isClaimed: true } : { abandonedBecause: body.why }));
}

function opened({ path, cwd, branch, base, problem }: WorkspaceOpened): Partial<CurrentTask> {
  return problem === null ? { workspace: { path, cwd, branch, base } } : { problem };
}

function settled(hand: CurrentTask, { claimed, head, tree, changed, edits, refused, restored, problem }: PlanSettled): Partial<CurrentTask> {
  const all = [...new Set([...(hand.settled?.restored ?? []), ...restored])];
  return { settled: { head, tree, changed, edits, refused, restored: all, problem }, isClaimed: hand.isClaimed || claimed };
}

/** After a merge other tasks may be ready, so `nothing` is cleared. */
function afterMerge(state: RunState, body: MergeJudged): RunState {
  const { result, commit, tree, conflicts, detail, left_behind, proof } = body;
  const failures = mergeFailures(body, state.run?.settings.outputTruncateChars ?? 0);
  const merge = { result, commit, ...(tree !== undefined && { tree }), conflicts, failures, detail, ...(proof && { proof }) };
  const known = result === 'merged' ? withLivingGates(state, proof) : state;
  const judged = withTask(known, body.iteration, ({ merges }) => ({ merges: merges + 1, merge }));
  const task = state.open.find(({ number }) => number === body.iteration)?.currentTask?.task.id ?? '';
  return withWork(judged, { ...withProof(state.tasks, body, task), noTask: null, leftBehind: result === 'merged' ? left_behind : state.tasks.leftBehind });
}

/** Uses the results from the task's worktree if the merged files are the same. */
function proofOf({ judged, currentTask }: OpenIteration, { tree, results, proof }: MergeProven): Proof {
  const seen = results.length > 0 || judged === null ? { where: 'merged' as const, checks: results.map(factOf) } : judged;
  if (proof === undefined) return { tree, where: seen.where, checks: seen.checks, judged: null };
  const { tree: _, results: __, hint: ___, allowed_by: allowedBy, ...by } = proof;
  const allowedAtMs = allowedBy === null ? null : (currentTask?.claim?.allowed?.at ?? null);
  return { tree, where: seen.where, checks: seen.checks, judged: { ...by, allowedBy, allowedAtMs } };
}

/** Gates that were living on the new base must be living in the next result too. */
function withLivingGates(state: RunState, proof: MergeJudged['proof']): RunState {
  const living = proof?.gates.filter((gate) => gate.state === 'living') ?? [];
  return living.length === 0 ? state : afterLivingFound(state, { gates: living });
}

/** The next attempt resolves the conflicts. Until then nothing is settled. */
function brought(hand: CurrentTask, { conflicts, problem }: BaseBrought): Partial<CurrentTask> {
  return { brought: { conflicts, problem }, conflicted: conflicts, merge: problem === null ? null : hand.merge };
}

/** A task whose iteration was never opened is released too. */
function afterRelease(state: RunState, { iteration, task, state: released, was_ours }: TaskReleased): RunState {
  if (iteration === 0) return withWork(state, { taken: null });
  const isParked = released === 'parked' && was_ours;
  const known = isParked ? withWork(state, { proofs: (state.tasks.proofs ?? []).map((each) => (each.task === task ? { ...each, isParked } : each)) }) : state;
  return withTask(known, iteration, ({ abandonedBecause }) => ({
    released,
    abandonedBecause: was_ours ? abandonedBecause : (abandonedBecause ?? 'somebody else has it'),
  }));
}

/** A new attempt may have changed anything, so the last settlement no longer counts. */
export function afterWorkAttempt(state: RunState, { iteration: number, role, verdict }: AttemptEnded): RunState {
  return withIteration(state, number, (iteration) => {
    const { currentTask } = iteration;
    if (currentTask === null) return iteration;
    const isTried = role === 'resolve' && verdict !== 'limited';
    return {
      ...iteration,
      currentTask: {
        ...currentTask,
        settled: null,
        merge: null,
        brought: isTried ? null : currentTask.brought,
        resolves: currentTask.resolves + (isTried ? 1 : 0),
      },
    };
  });
}

export function afterTaskReceipt(state: RunState, { task, file, why_unsigned }: ReceiptWritten): RunState {
  const receipts = { count: (state.tasks.receipts?.count ?? 0) + 1, folder: file.slice(0, file.lastIndexOf('/')), unsigned: why_unsigned ?? null };
  const iteration = state.open.find(({ currentTask }) => currentTask?.task.id === task);
  return withTask(withWork(state, { receipts }), iteration?.number ?? 0, () => ({ hasReceipt: true }));
}

/** Adds the cost of this try; dropped once the task is done. */
function triedAfter({ tried = [] }: WorkState, { currentTask, tally }: OpenIteration, isDone: boolean): Pick<WorkState, 'tried'> {
  const task = currentTask?.task.id ?? '';
  const others = tried.filter((each) => each.task !== task);
  if (isDone) return others.length === tried.length ? {} : { tried: others };
  return { tried: [...others, { task, ...spentOnTask(tried, task, tally) }] };
}

/** The iterations and cost of all tries of a task, including this one. */
export function spentOnTask(tried: readonly TriedTask[], task: string, { costUsd }: Tally): Omit<TriedTask, 'task'> {
  const before = tried.find((each) => each.task === task) ?? { iterations: 0, costUsd: 0 };
  return { iterations: before.iterations + 1, costUsd: before.costUsd === null || costUsd === null ? null : before.costUsd + costUsd };
}

/** Counts the result of the task and starts the idle time of its worker. */
export function afterTaskClosed(state: RunState, iteration: OpenIteration | undefined, closed: ClosedIteration | undefined): RunState {
  const hand = iteration?.currentTask;
  if (!hand || !closed) return state;
  const { tasks } = state;
  const kind = countedAs(hand, closed);
  const counts = kind === null ? tasks.counts : { ...tasks.counts, [kind]: tasks.counts[kind] + 1 };
  const isUnproven = kind === 'done' && hand.task.verify.length + hand.task.outputs.length + (state.run?.settings.gates.length ?? 0) === 0;
  const idleSinceMs = { ...tasks.idleSinceMs, [iteration.worker]: closed.atMs };
  const tried = triedAfter(tasks, iteration, kind === 'done');
  return { ...state, tasks: { ...tasks, counts, idleSinceMs, ...tried, noTask: null, unproven: tasks.unproven || isUnproven } };
}

/** Null when the result is not counted: Ralph interrupted it, or a person has to decide. */
function countedAs({ released, isClaimed }: CurrentTask, { result }: ClosedIteration): keyof TaskCounts | null {
  if (released === 'done') return 'done';
  if (result === 'abandoned' || released === 'parked') return null;
  if (released === 'conflict') return 'conflicts';
  if (isClaimed) return 'unproven';
  return result === 'failed' ? 'failed' : 'unfinished';
}

/** The process that held the tasks is gone, so they are released with the work done so far. Only merged tasks are done. */
export function afterWorkResumed(state: RunState): RunState {
  const open = state.open.map((iteration) =>
    iteration.currentTask === null
      ? iteration
      : { ...iteration, currentTask: { ...iteration.currentTask, abandonedBecause: iteration.currentTask.abandonedBecause ?? 'its loop has died' } },
  );
  return { ...state, open, paused: false, tasks: { ...state.tasks, taken: null, noTask: null, planProblem: null } };
}
