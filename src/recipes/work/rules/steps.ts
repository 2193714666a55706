import type { Merge, ReleaseTask } from '../../../journal/effects/work-effect.ts';
import type { IterationResult } from '../../../journal/events/run.ts';
import { spentOnTask } from '../../../journal/evolve/spending.ts';
import type { AskedQuestion } from '../../../journal/state/questions.ts';
import type { CurrentTask, MergedWork } from '../../../journal/state/work-state.ts';
import type { HeldClaim } from '../../../journal/words/task-register.ts';
import { mayRetry } from '../../../limits/retry-policy.ts';
import { reasonToAbandon, untilTimeIsUp } from '../../../limits/time.ts';
import { taskBranch } from '../../../plans/graph/task-slug.ts';
import { taskFeedback } from '../../../proof/judge/feedback.ts';
import { MOST_HELD } from '../../../proof/judge/proof-words.ts';
import { agentRequest, gatesDeadlineMs } from '../../shared/effect-requests.ts';
import { receiptOf } from '../../shared/receipt.ts';
import { told } from '../../shared/rules/questions.ts';
import { buildConflictPrompt } from '../conflict-prompt.ts';
import { crashRetryAtMs, isUnchanged, mayRetryCrash } from '../crash-retry.ts';
import {
  answersFor,
  gatesOf,
  isReadyToJudge,
  isUpForMerge,
  isUpForProof,
  repetitionOf,
  type TaskIteration,
  type TaskStep,
  type WorkView,
} from '../task-progress.ts';

/** Each task has its own worktree and branch, which contain the work of an earlier holder. */
export const openTheWorkspace: TaskStep = (iteration, view) => {
  const { currentTask, number } = iteration;
  if (currentTask.workspace !== null || isReadyToJudge(iteration, view)) return null;
  const { task, n, from } = currentTask;
  return {
    kind: 'do',
    effect: { kind: 'open-workspace', key: `open:${number}`, iteration: number, attempt: 0, task: task.id, n, branch: taskBranch(task.id, n), from },
  };
};

/** Starts a fresh agent for the task. Retries after a usage limit, which is neither a success nor a failure, and a few times after an empty answer or a crash. */
export const runTheAgentOnTheTask: TaskStep = (iteration, view) => {
  const { currentTask } = iteration;
  const { state, nowMs } = view;
  if (currentTask.workspace === null || currentTask.brought !== null) return null;
  const retryMs = crashRetryAtMs(iteration, view);
  if (retryMs === null && (currentTask.settled !== null || isReadyToJudge(iteration, view))) return null;
  const untilMs = Math.max(state.limit.untilMs, retryMs ?? 0);
  if (nowMs < untilMs) return { kind: 'wait', untilMs: untilTimeIsUp(untilMs, view) };
  const { task, n, feedback, prompt, from, answers = [] } = currentTask;
  const work = { task, n, feedback, goes_on: from !== null, prompt };
  return agentRequest(iteration, view, { role: 'work', cwd: currentTask.workspace.cwd, work, ...told(answersFor(task.id, answers, state)) });
};

/** After every agent: commits its leftovers to its branch and reverts its changes of the plan. Also when the task is abandoned, so that nothing is lost. */
export const settleTheTask: TaskStep = (iteration, view) => {
  const { currentTask, number, attempts } = iteration;
  if (currentTask.workspace === null || currentTask.settled !== null || currentTask.isClosed) return null;
  if (currentTask.brought !== null || !isReadyToJudge(iteration, view)) return null;
  const { task, n, conflicted } = currentTask;
  const { path, base } = currentTask.workspace;
  const key = `settle:${number}.${attempts}`;
  return { kind: 'do', effect: { kind: 'settle-plan', key, iteration: number, attempt: attempts, task, n, path, base, clashed: [...conflicted] } };
};

/** A claim is judged in its worktree, in parallel with other workers, before it enters the merge queue. */
export const judgeTheTask: TaskStep = (iteration, view) => {
  const { currentTask, number, attempts, judged, latest } = iteration;
  if (currentTask.workspace === null || judged !== null || currentTask.merge !== null || !isUpForProof(iteration, view)) return null;
  const gates = gatesOf(currentTask, view);
  if (gates.length === 0) return null;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:${number}.${latest.attempt}`,
      iteration: number,
      attempt: attempts,
      where: 'workspace',
      gates,
      name_tree: false,
      keep_tree: false,
      phase: '',
      protect: null,
      tree: null,
      cwd: currentTask.workspace.cwd,
      until: gatesDeadlineMs(view),
    },
  };
};

/** Before the merge: finds the tests that the task's own gates run, on the base it was taken from. For the common gates that is known since the start. */
export const findLivingGatesOfTheTask: TaskStep = (iteration, view) => {
  const { currentTask, number, attempts } = iteration;
  if (currentTask.workspace === null || view.settings.proof?.level !== 'living' || !isUpForMerge(iteration, view)) return null;
  const known = new Set(view.state.living?.map(({ command }) => command));
  const gates = gatesOf(currentTask, view).filter(({ command }) => !known.has(command));
  if (gates.length === 0) return null;
  const [key, tree] = [`living:${number}.${currentTask.merges + 1}`, `${currentTask.workspace.base}^{tree}`];
  return { kind: 'do', effect: { kind: 'find-living', key, iteration: number, attempt: attempts, gates, tree, until: gatesDeadlineMs(view) } };
};

/** Merges what is green alone, and judges the merged result again. Only then does the base move. */
export const mergeTheTask: TaskStep = (iteration, view) => {
  const { currentTask, number, attempts, judged } = iteration;
  if (!currentTask.settled || !isUpForMerge(iteration, view)) return null;
  const { task, n, settled, merges } = currentTask;
  return {
    kind: 'do',
    effect: {
      kind: 'merge',
      key: `merge:${number}.${merges + 1}`,
      iteration: number,
      attempt: attempts,
      task,
      n,
      head: settled.head,
      green_tree: judged?.green === true ? settled.tree : null,
      gates: gatesOf(currentTask, view),
      edits: [...settled.edits],
      ...proofOf(currentTask, view),
      ...(view.state.sealedRuns !== undefined && { sealed_runs: view.state.sealedRuns }),
      until: gatesDeadlineMs(view),
    },
  };
};

/** The proof of a merged result, with the changes that the operator allows for this task. */
function proofOf(held: CurrentTask, view: WorkView): Pick<Merge, 'proof'> {
  const { proof } = view.settings;
  if (proof === undefined) return {};
  const { claim } = held;
  return { proof: { ...proof, mayChange: mayChange(held, view), living: [...(view.state.living ?? [])], ...(claim?.allowed && { allowed: claim }) } };
}

function mayChange({ task }: CurrentTask, { settings: { proof } }: WorkView): string[] {
  return [...(proof?.mayChange ?? []), ...(task.may_change ?? [])];
}

/** Merges the base into the worktree of a conflicting task, and starts a fresh agent to resolve the conflict. */
export const resolveTheConflict: TaskStep = (iteration, view) => {
  const { currentTask, number, attempts } = iteration;
  if (currentTask.workspace === null || currentTask.abandonedBecause !== null) return null;
  if (currentTask.brought !== null) return currentTask.brought.problem === null && reasonToAbandon(view) === null ? asked(iteration, view) : null;
  const isConflict = isUpForProof(iteration, view) && currentTask.merge?.result === 'conflict';
  if (!isConflict || currentTask.resolves >= view.settings.work.resolveTries) return null;
  return {
    kind: 'do',
    effect: { kind: 'bring-base', key: `base:${number}.${attempts}`, iteration: number, attempt: attempts, path: currentTask.workspace.path },
  };
};

function asked(iteration: TaskIteration, view: WorkView) {
  const { currentTask } = iteration;
  const { state, nowMs } = view;
  if (currentTask.workspace === null || currentTask.brought === null) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait' as const, untilMs: state.limit.untilMs };
  const { task, brought, workspace } = currentTask;
  const { work, gates } = view.settings;
  const checks = gates.map(({ command }) => command);
  const prompt = buildConflictPrompt({ task, project: '', base: work.base, paths: brought.conflicts, checks });
  return agentRequest(iteration, view, { role: 'resolve', prompt, cwd: workspace.cwd });
}

/** A merged task gets its receipt before anything else, also by the loop that continues after a crash. */
export const writeTheTaskReceipt: TaskStep = (iteration, view) => {
  const { currentTask, number, mergeProof, tally } = iteration;
  if (currentTask.merge?.result !== 'merged' || mergeProof === undefined || currentTask.hasReceipt) return null;
  const { task, merge, workspace } = currentTask;
  const { onto, proof } = mergeProof;
  const { iterations, costUsd } = spentOnTask(view.state.tasks.tried ?? [], task.id, tally);
  const receipt = receiptOf(view, proof, {
    task: task.title,
    commit: merge.commit,
    tree: merge.tree ?? null,
    merged: {
      ...{ id: task.id, plan: view.settings.work.plan.path, base: view.settings.work.base },
      ...{ taken_from: workspace?.base ?? onto, onto, judged_tree: proof.tree ?? '' },
      may_change: mayChange(currentTask, view),
    },
    cost_usd: costUsd,
    iterations,
  });
  return { kind: 'do', effect: { kind: 'write-receipt', key: `receipt:${number}`, iteration: number, attempt: 0, receipt } };
};

/** Removes the worktree; the branch only if its work is on the base. */
export const closeTheWorkspace: TaskStep = ({ currentTask, number }) => {
  if (currentTask.workspace === null || currentTask.isClosed) return null;
  const { path, branch } = currentTask.workspace;
  return {
    kind: 'do',
    effect: { kind: 'close-workspace', key: `close:${number}`, iteration: number, attempt: 0, path, branch, is_merged: currentTask.merge?.result === 'merged' },
  };
};

/** Releases the task: done, for a retry with what was wrong, or left for a person. */
export const releaseTheTask: TaskStep = (iteration, view) => {
  const { currentTask, number } = iteration;
  if (currentTask.released !== null) return null;
  return { kind: 'do', effect: { kind: 'release-task', key: `release:${number}`, iteration: number, attempt: 0, ...fateOf(iteration, view) } };
};

type Result = Pick<ReleaseTask, 'task' | 'n' | 'state' | 'branch' | 'base' | 'tries' | 'feedback' | 'claim' | 'question' | 'answers' | 'unwritten'>;

function fateOf(iteration: TaskIteration, view: WorkView): Result {
  const { currentTask: held } = iteration;
  const { task, n, workspace, tries } = held;
  const answers = told(answersFor(task.id, held.answers ?? [], view.state));
  const kept = { task: task.id, n, branch: workspace?.branch ?? held.from, base: workspace?.base ?? null, ...answers };
  if (held.merge?.result === 'merged') return { ...kept, ...doneBy(held.merge), tries, feedback: '' };
  const asked = lastQuestion(iteration, view);
  if (asked !== null) return { ...kept, tries, feedback: held.feedback, ...stateAfterQuestion(asked) };
  if (isLeft(iteration, view)) return { ...kept, state: 'free', tries, feedback: held.feedback, ...(held.claim && { claim: held.claim }) };
  const { isStuck, text } = repetitionOf(iteration, view);
  return { ...kept, tries: tries + 1, feedback: [taskFeedback(iteration, held), ...text].join('\n\n'), ...stateAfterTry(iteration, view, isStuck) };
}

const doneBy = ({ commit, unwritten }: MergedWork) => ({ base: commit, state: 'done' as const, ...(unwritten && { unwritten }) });

/** A try that did not get through: another one follows, or a person has to look. */
function stateAfterTry(iteration: TaskIteration, view: WorkView, isStuck: boolean): Pick<Result, 'state' | 'claim'> {
  const { currentTask: held } = iteration;
  if (isStuckInConflict(held)) return { state: 'conflict' };
  const claim = heldClaim(held);
  const isLast = isStuck || held.tries >= allowedTries(iteration, view);
  if (claim !== null) return { state: isLast || claim.times >= MOST_HELD ? 'parked' : 'free', claim };
  return { state: isLast ? 'failed' : 'free' };
}

/** The newest question of this iteration's agents. What a person has to decide anyway, a conflict or a held claim, comes first. */
function lastQuestion({ number, currentTask }: TaskIteration, { state }: WorkView): AskedQuestion | null {
  if (currentTask.merge?.result === 'conflict' || currentTask.merge?.result === 'held') return null;
  return state.questions.findLast(({ iteration, task }) => iteration === number && task === currentTask.task.id) ?? null;
}

/** A person may have answered while the agent was still at work. Either way it was no try that failed. */
function stateAfterQuestion({ kind, text, answer }: AskedQuestion): Pick<Result, 'state' | 'question'> {
  return answer === null ? { state: 'parked', question: { kind, text } } : { state: 'free' };
}

/** What a person must decide, or the next agent must revert; null: nothing is held. */
function heldClaim({ merge, claim }: CurrentTask): HeldClaim | null {
  if (merge?.result !== 'held' || !merge.proof) return null;
  return { times: (claim?.times ?? 0) + 1, tree: merge.proof.tree, changed: merge.proof.changed };
}

/** Ralph itself cut it off: that does not count as a try. */
function isLeft(iteration: TaskIteration, view: WorkView): boolean {
  const { last, judged, repeated, currentTask } = iteration;
  const { abandonedBecause, merge } = currentTask;
  if (abandonedBecause !== null) return true;
  const reason = reasonToAbandon(view);
  if (reason === null || judged?.green === false || merge?.result === 'red' || merge?.result === 'held' || merge?.result === 'conflict') return false;
  return reason !== 'drain' || last === null || mayRetry(last.verdict, repeated, view.settings.limits.repeats) || mayRetryCrash(iteration);
}

/** Both sides are kept: the branch and the base. */
function isStuckInConflict({ merge, resolves, settled }: CurrentTask): boolean {
  return merge?.result === 'conflict' || (resolves > 0 && settled?.problem != null);
}

/** How often a task whose agent crashed in the middle of its work is tried again. */
const CRASHED_TRIES = 2;

/** A task with an unproven claim is retried more often than one without a claim. */
function allowedTries({ last, currentTask: held }: TaskIteration, { settings: { work } }: WorkView): number {
  if (held.isClaimed) return work.unprovenTries;
  return Math.max(work.retryFailed, last?.hasCrashed && !isUnchanged(held) ? CRASHED_TRIES : 0);
}

/** The last step: the base decides whether the task is done, never an exit code. */
export const closeTheTask: TaskStep = (iteration, view) => {
  const { currentTask, number } = iteration;
  const isDone = currentTask.released === 'done';
  return {
    kind: 'say',
    event: {
      type: 'iteration.closed',
      iteration: number,
      result: resultOf(iteration, view),
      claim: currentTask.isClaimed ? { by: 'task-state', text: currentTask.task.id } : null,
      accepted: isDone,
      zero_work: isDone && currentTask.settled?.changed === false,
    },
  };
};

function resultOf({ currentTask, last }: TaskIteration, view: WorkView): IterationResult {
  if (currentTask.released === 'done') return 'green';
  if (currentTask.abandonedBecause !== null || (currentTask.released === 'free' && reasonToAbandon(view) !== null)) return 'abandoned';
  if (currentTask.isClaimed) return 'red';
  return last?.verdict === 'ok' ? 'red' : 'failed';
}
