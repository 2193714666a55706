import { assertNever } from '../../kit/pure/assert-never.ts';
import { mergeFailures } from '../../proof/judge/feedback.ts';
import type { Effect } from '../effects/effect.ts';
import type { ReleaseTask } from '../effects/work-effect.ts';
import type { AttemptEnded } from '../events/attempt.ts';
import type { ReceiptWritten } from '../events/gates.ts';
import type { BodyOf, WorkEvent } from '../events/recipe-events.ts';
import type { MergeJudged, MergeProven, TaskAnswered, TaskClaimed, TaskLost, TaskReleased, TaskTaken } from '../events/work.ts';
import type { ClosedIteration, OpenIteration, Proof, RunState } from '../state/state.ts';
import { type CurrentTask, provenAfter, type TaskCounts, type WorkState } from '../state/work-state.ts';
import { saysDone } from '../words/claim.ts';
import { crashesAfter } from './attempts.ts';
import { brought, opened, settled, taskFor } from './current-task.ts';
import { afterLivingFound, factOf } from './gates.ts';
import { effectInFlight, type OwnFold, openIn, withIteration } from './iterations.ts';
import { withQuestions } from './questions.ts';
import { receiptsAfter, triedAfter } from './spending.ts';
import { standstillOfTask } from './standstill.ts';
import { whyNotDone } from './why-not-done.ts';

/** What a plan adds to the state of a run. */
export const ofPlan: OwnFold<WorkEvent> = {
  'run.resumed': (_body, state) => afterWorkResumed(state),
  'iteration.opened': (body, state) => afterTaskOpened(state, body),
  'attempt.ended': (body, state, { atMs }) => afterWorkAttempt(state, body, atMs),
  'receipt.written': (body, state) => afterTaskReceipt(state, body),
  'iteration.closed': ({ iteration }, state, { before }) => afterTaskClosed(state, openIn(before, iteration)),
  'task.taken': afterTaking,
  'task.none': ({ type: _, key: __, plan: ___, ...nothing }, state, { atMs }) =>
    afterAsking(state, { noTask: { ...nothing, sinceMs: state.tasks.noTask?.sinceMs ?? atMs, atMs } }),
  'plan.troubled': ({ why }, state, { atMs }) => afterAsking(state, { planProblem: { why, sinceMs: state.tasks.planProblem?.sinceMs ?? atMs, atMs } }),
  'task.claimed': (body, state) => afterClaimOrLoss(state, body),
  'task.lost': (body, state) => afterClaimOrLoss(state, body),
  'tasks.changed': (_body, state) => withWork(state, { noTask: null }),
  'workspace.opened': (body, state) => withTask(state, body.iteration, () => opened(body)),
  'plan.settled': (body, state) => withTask(state, body.iteration, (hand) => settled(hand, body)),
  'merge.proven': (body, state) =>
    withIteration(state, body.iteration, (iteration) => ({ ...iteration, mergeProof: { onto: body.onto, proof: proofOf(iteration, body) } })),
  'merge.judged': (body, state) => afterMerge(state, body),
  'base.brought': (body, state) => withTask(state, body.iteration, (hand) => brought(hand, body)),
  'task.released': (body, state, { before, atMs }) => afterRelease(state, body, effectInFlight(before, body.key), atMs),
  'task.answered': (body, state) => withWork(afterPassedOn(state, body), { noTask: null, ...(body.was_ours && waitingNoMore(state.tasks, body.task)) }),
  'workspace.closed': ({ iteration }, state) => withTask(state, iteration, () => ({ isClosed: true })),
};

/** Every key is used once. A plan that could be read again is no problem any more. */
function afterAsking(state: RunState, change: Partial<WorkState>): RunState {
  return withWork(state, { asked: state.tasks.asked + 1, planProblem: null, ...change });
}

function afterTaking({ type: _, key: __, open, plan: ___, total, complete, ...taken }: TaskTaken, state: RunState): RunState {
  return afterAsking(withoutOpenQuestions(state, taken.task.id), {
    taken,
    ...(open !== undefined && { mayDo: open }),
    ...(total !== undefined && { planned: { total, completeBefore: state.tasks.planned?.completeBefore ?? complete ?? 0 } }),
    noTask: null,
    ...waitingNoMore(state.tasks, taken.task.id),
  });
}

function afterTaskOpened(state: RunState, { iteration, lane }: BodyOf<'iteration.opened'>): RunState {
  const currentTask = taskFor(state.tasks, lane);
  return currentTask === null ? state : withIteration(withWork(state, { taken: null }), iteration, (open) => ({ ...open, currentTask }));
}

/** A task that is taken again, or that a person has freed, is neither parked nor left for a person. */
function waitingNoMore({ proofs, left = [] }: WorkState, task: string): Partial<WorkState> {
  return {
    ...(proofs !== undefined && { proofs: proofs.map((each) => (each.task === task ? { ...each, isParked: false } : each)) }),
    ...(left.some((each) => each.task === task) && { left: left.filter((each) => each.task !== task) }),
  };
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

/** After a merge other tasks may be ready, so `nothing` is cleared. */
function afterMerge(state: RunState, body: MergeJudged): RunState {
  const { result, commit, tree, conflicts, detail, left_behind, proof, unwritten } = body;
  const failures = mergeFailures(body, state.run?.settings.outputTruncateChars ?? 0);
  const merge = { result, commit, ...(tree !== undefined && { tree }), conflicts, failures, detail, ...(proof && { proof }), ...(unwritten && { unwritten }) };
  const known = result === 'merged' ? withLivingGates(state, proof) : state;
  const judged = withTask(known, body.iteration, (hand) => ({
    merges: hand.merges + 1,
    merge,
    resolves: hand.resolves - (isResolutionLost(hand, body) ? 1 : 0),
  }));
  const task = openIn(state, body.iteration)?.currentTask?.task.id ?? '';
  return withWork(judged, { ...withProof(state.tasks, body, task), noTask: null, leftBehind: result === 'merged' ? left_behind : state.tasks.leftBehind });
}

/** Others may go on merging, but not for ever. */
const MOST_LOST_RESOLUTIONS = 5;

/** The agent has resolved the conflict with a base that others have moved meanwhile: that was no failure of its own. */
function isResolutionLost({ resolves, merges, broughtBase }: CurrentTask, { result, onto }: MergeJudged): boolean {
  return result === 'conflict' && resolves > 0 && merges <= MOST_LOST_RESOLUTIONS && onto !== undefined && broughtBase !== undefined && onto !== broughtBase;
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

/** A task whose iteration was never opened is released too. */
function afterRelease(state: RunState, body: TaskReleased, effect: Effect | undefined, atMs: number): RunState {
  const { iteration, state: released, was_ours } = body;
  if (iteration === 0) return withWork(state, { taken: null });
  const release = effect?.kind === 'release-task' ? effect : null;
  const known = was_ours ? leftForAPerson(state, body, release, atMs) : state;
  const { none } = body;
  const seen = none === undefined ? known : withWork(known, { noTask: { ...none, sinceMs: state.tasks.noTask?.sinceMs ?? atMs, atMs } });
  return withTask(seen, iteration, ({ abandonedBecause }) => ({
    released,
    ...(none !== undefined && { isLast: true as const }),
    abandonedBecause: was_ours ? abandonedBecause : (abandonedBecause ?? 'somebody else has it'),
  }));
}

/** What the result of a task asks of a person. */
function leftForAPerson(state: RunState, body: TaskReleased, release: ReleaseTask | null, atMs: number): RunState {
  const { task, state: released, iteration } = body;
  const { said } = openIn(state, iteration)?.last ?? {};
  const words = said === undefined ? {} : { said };
  switch (released) {
    case 'parked':
      if (release?.question !== undefined) return parkedWithQuestion(state, release);
      return withWork(state, {
        proofs: (state.tasks.proofs ?? []).map((each) => (each.task === task ? { ...each, isParked: true, parkedAtMs: atMs, ...words } : each)),
      });
    case 'failed':
    case 'conflict':
      return withWork(state, { left: [...(state.tasks.left ?? []), { task, state: released, iteration, why: whyLeft(state, body, release), ...words, atMs }] });
    case 'done':
    case 'free':
      return state;
    default:
      return assertNever(released);
  }
}

/** What repeats is only in what the next agent would be told. */
function whyLeft({ open }: RunState, { iteration, state: released }: TaskReleased, release: ReleaseTask | null): string {
  const its = open.find(({ number }) => number === iteration);
  const why = its?.currentTask ? whyNotDone(its, { ...its.currentTask, released }) : null;
  const stuck = /^Stuck: .*/m.exec(release?.feedback ?? '')?.[0];
  return [...(stuck === undefined ? [] : [stuck]), why ?? 'its agent ended without completing it'].join('; ');
}

/** The release has the next number. */
function parkedWithQuestion(state: RunState, { task, n, iteration }: ReleaseTask): RunState {
  return withQuestions(state, (question) => (question.task === task && question.iteration === iteration ? { ...question, parkedAs: n + 1 } : question));
}

/** A task that is done, or that a person gave to the next worker without an answer, needs no answer any more. */
function withoutOpenQuestions(state: RunState, task: string): RunState {
  const questions = state.questions.filter((question) => question.task !== task || question.answer !== null);
  return questions.length === state.questions.length ? state : { ...state, questions };
}

function afterPassedOn(state: RunState, { task, n }: TaskAnswered): RunState {
  return withQuestions(state, (question) =>
    n !== undefined && question.task === task && question.parkedAs === n ? { ...question, isPassedOn: true } : question,
  );
}

/** A new attempt may have changed anything, so the last settlement no longer counts. */
function afterWorkAttempt(state: RunState, ended: AttemptEnded, atMs: number): RunState {
  const { iteration: number, role, verdict, claim } = ended;
  return withIteration(state, number, (iteration) => {
    const { currentTask } = iteration;
    if (currentTask === null) return iteration;
    const isTried = role === 'resolve' && verdict !== 'limited';
    return {
      ...iteration,
      currentTask: {
        ...currentTask,
        // The word is a claim as `ralph task complete` is.
        isClaimed: currentTask.isClaimed || ((role === 'work' || role === 'resolve') && saysDone(claim)),
        ...(role === 'work' && { crashes: crashesAfter(currentTask, ended, atMs) }),
        settled: null,
        merge: null,
        brought: isTried ? null : currentTask.brought,
        resolves: currentTask.resolves + (isTried ? 1 : 0),
      },
    };
  });
}

function afterTaskReceipt(state: RunState, body: ReceiptWritten): RunState {
  const receipts = receiptsAfter(state.tasks.receipts, body);
  const iteration = state.open.find(({ currentTask }) => currentTask?.task.id === body.task);
  return withTask(withWork(state, { receipts }), iteration?.number ?? 0, () => ({ hasReceipt: true }));
}

/** Counts the result of the task and starts the idle time of its worker. */
function afterTaskClosed(state: RunState, iteration: OpenIteration | undefined): RunState {
  const closed = state.closed.at(-1);
  const hand = iteration?.currentTask;
  if (!hand || !closed) return state;
  const { tasks } = state;
  const kind = countedAs(iteration, hand, closed);
  const counts = kind === null ? tasks.counts : { ...tasks.counts, [kind]: tasks.counts[kind] + 1 };
  const checks = hand.task.verify.length + hand.task.outputs.length + (state.run?.settings.gates.length ?? 0);
  const proven = kind === 'done' ? provenAfter(tasks, checks > 0) : {};
  const idleSinceMs = { ...tasks.idleSinceMs, [iteration.worker]: closed.atMs };
  const tried = triedAfter(tasks.tried ?? [], hand.task.id, iteration, kind === 'done');
  const known = kind === 'done' ? withoutOpenQuestions(state, hand.task.id) : state;
  const noTask = hand.isLast ? tasks.noTask : null;
  const more = { ...standstillsAfter(state, iteration, kind), ...mayDoAfter(tasks, hand), ...proven };
  return { ...known, tasks: { ...tasks, counts, idleSinceMs, ...tried, ...more, noTask } };
}

function mayDoAfter({ mayDo }: WorkState, { released }: CurrentTask): Pick<WorkState, 'mayDo'> {
  return mayDo === undefined || released === null || released === 'free' ? {} : { mayDo: Math.max(0, mayDo - 1) };
}

/** Forgotten when the task is not tried again. Tries that are not counted change nothing. */
function standstillsAfter(state: RunState, iteration: OpenIteration, kind: keyof TaskCounts | null): Pick<WorkState, 'standstills'> {
  const { standstills = {} } = state.tasks;
  const { task, released } = iteration.currentTask ?? { task: { id: '' }, released: null };
  const { [task.id]: before, ...others } = standstills;
  if (kind === null || !state.run?.settings.limits.stuckAfter) return {};
  if (released === 'free') return { standstills: { ...others, [task.id]: standstillOfTask(state, iteration) } };
  return before === undefined ? {} : { standstills: others };
}

/** Null when the result is not counted: Ralph interrupted it, or a person has to decide. */
function countedAs({ hasAsked }: OpenIteration, { released, isClaimed }: CurrentTask, { result }: ClosedIteration): keyof TaskCounts | null {
  if (released === 'done') return 'done';
  if (result === 'abandoned' || released === 'parked' || (released === 'free' && hasAsked)) return null;
  if (released === 'conflict') return 'conflicts';
  if (isClaimed) return 'unproven';
  return result === 'failed' ? 'failed' : 'unfinished';
}

/** The process that held the tasks is gone, so they are released with the work done so far. Only merged tasks are done. */
function afterWorkResumed(state: RunState): RunState {
  const open = state.open.map((iteration) =>
    iteration.currentTask === null
      ? iteration
      : { ...iteration, currentTask: { ...iteration.currentTask, abandonedBecause: iteration.currentTask.abandonedBecause ?? 'its loop has died' } },
  );
  return { ...state, open, tasks: { ...state.tasks, taken: null, noTask: null, planProblem: null } };
}
