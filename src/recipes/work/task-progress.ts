import type { StepRule, View } from '../../engine/decide/recipe.ts';
import { standstillOfTask } from '../../journal/evolve/standstill.ts';
import { retriesToCarryOut } from '../../journal/state/instructions.ts';
import { answersAbout } from '../../journal/state/questions.ts';
import type { OpenIteration, RunState, StartedState } from '../../journal/state/state.ts';
import type { CurrentTask, Since } from '../../journal/state/work-state.ts';
import type { AnsweredQuestion } from '../../journal/words/claim.ts';
import { mayRetry } from '../../limits/retry-policy.ts';
import { repetitionForPrompt, stuckIn } from '../../limits/stuck.ts';
import { reasonToAbandon } from '../../limits/time.ts';
import type { GateSpec, SettingsWith } from '../../settings/schema/run-settings.ts';

/** The settings and the state of a run on a plan. */
export type WorkSettings = SettingsWith<'work'>;
export type WorkView = View<WorkSettings>;
export type WorkState = StartedState<WorkSettings>;
/** Every iteration of such a run is about a task. */
export type TaskIteration = OpenIteration & { readonly currentTask: CurrentTask };
export type TaskStep = StepRule<WorkSettings, TaskIteration>;

/** When to ask for a task again after there was none; null: nobody else is working, so nothing will change by itself. */
export function nextTakeAtMs({ state, settings }: WorkView): number | null {
  const { noTask } = state.tasks;
  if (!noTask?.held) return null;
  const { store } = settings.work;
  return store === undefined ? nextPollAtMs(noTask) : Math.min(nextPollAtMs(noTask), noTask.atMs + Math.max(SHORTEST_POLL_MS, store.leaseMs / 2));
}

const SHORTEST_POLL_MS = 2_000;

/** At first every two seconds, then less and less often, down to once a minute. The workers of a fleet look twice in a lease, so that a dead one's task does not wait. */
export function nextPollAtMs({ sinceMs, atMs }: Since): number {
  return atMs + Math.min(60_000, Math.max(SHORTEST_POLL_MS, (atMs - sinceMs) / 10));
}

/** Whether its agents have ended: the worktree can be judged. */
export function isReadyToJudge({ last, repeated, currentTask: held }: TaskIteration, view: WorkView): boolean {
  if (held.abandonedBecause !== null || held.problem !== null) return true;
  // What a person has allowed is merged as it is.
  if (held.claim?.allowed && held.workspace !== null) return true;
  // An agent that was asked to resolve a conflict, or that has claimed to be done, is not started again.
  if (held.resolves > 0 || (held.isClaimed && last !== null)) return true;
  if (last === null) return reasonToAbandon(view) !== null;
  return !mayRetry(last.verdict, repeated, view.settings.limits.repeats) || reasonToAbandon(view) !== null;
}

/** The gates of a task: its own, then those of the whole plan. */
export function gatesOf({ task }: CurrentTask, { settings }: WorkView): GateSpec[] {
  const timeoutMs = settings.work.verifyTimeoutMs;
  const own = task.verify.map((command): GateSpec => ({ command, failAction: 'APPEND', hint: null, timeoutMs }));
  return [...own, ...settings.gates];
}

/** Claimed, complete and not abandoned: it can be judged and merged. */
export function isUpForProof({ currentTask }: TaskIteration, view: WorkView): boolean {
  if (!currentTask.isClaimed || currentTask.abandonedBecause !== null || currentTask.settled === null || currentTask.settled.problem !== null) return false;
  // A try that changed protected paths does not count, however green it is.
  if (currentTask.settled.restored.length > 0) return false;
  // A claim after the worktree was removed comes too late.
  if (currentTask.isClosed || currentTask.released !== null) return false;
  return reasonToAbandon(view) !== 'abort';
}

/** Its gates were green in the worktree, or it has none. */
function isProvenAlone({ currentTask, judged }: TaskIteration, view: WorkView): boolean {
  return judged?.green === true || gatesOf(currentTask, view).length === 0;
}

/** How often a merge is repeated when others move the base. */
const MOST_MERGES = 5;

/** What is green alone is merged, and once more after others have moved the base. */
export function isUpForMerge(iteration: TaskIteration, view: WorkView): boolean {
  const { currentTask } = iteration;
  if (!currentTask.settled || !isUpForProof(iteration, view) || !isProvenAlone(iteration, view)) return false;
  return currentTask.brought === null && (currentTask.merge === null || (currentTask.merge.result === 'moved' && currentTask.merges < MOST_MERGES));
}

/** How often an agent of this run failed on a task. */
export function failedTries({ state }: Pick<WorkView, 'state'>): number {
  const { failed, unfinished, unproven, conflicts } = state.tasks.counts;
  return failed + unfinished + unproven + conflicts;
}

/** What repeats in the tries of a task: first the next agent is told, then a person. */
export function repetitionOf(iteration: OpenIteration, { state, settings }: WorkView): { readonly isStuck: boolean; readonly text: readonly string[] } {
  const tries = { state: { standstill: standstillOfTask(state, iteration) }, settings };
  const stuck = stuckIn(tries);
  const hint = repetitionForPrompt(tries);
  if (stuck !== null) return { isStuck: true, text: [`Stuck: ${stuck}`] };
  return { isStuck: false, text: hint === null ? [] : [hint] };
}

/** Tasks that are parked with a question that a person has answered since, by the numbers of their registers. */
export function answersToPassOn({ questions }: Pick<RunState, 'questions'>): readonly { readonly task: string; readonly parkedAs: number }[] {
  return questions.flatMap(({ task, parkedAs, answer, isPassedOn }) =>
    task !== null && parkedAs !== undefined && answer !== null && !isPassedOn ? [{ task, parkedAs }] : [],
  );
}

/** What a person has said makes tasks ready as soon as their registers say so. */
export function isAboutToFreeTasks(state: RunState): boolean {
  return answersToPassOn(state).length > 0 || retriesToCarryOut(state).length > 0;
}

/** More would fill the prompt. */
const MOST_ANSWERS = 10;

/** What people have answered about a task, in this run and before it. */
export function answersFor(task: string, before: readonly AnsweredQuestion[], state: Pick<RunState, 'questions'>): readonly AnsweredQuestion[] {
  const here = answersAbout(task, state);
  const isNew = (one: AnsweredQuestion) => !here.some(({ question, answer }) => question === one.question && answer === one.answer);
  return [...before.filter(isNew), ...here].slice(-MOST_ANSWERS);
}
