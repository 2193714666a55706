import type { Effect } from '../../journal/effects/effect.ts';
import { attemptId } from '../../journal/effects/effect.ts';
import type { SeenTask } from '../../journal/events/work.ts';
import { totalCost } from '../../journal/state/spending.ts';
import type { OpenIteration, RunState } from '../../journal/state/state.ts';
import { isDone, outcomeText } from '../../journal/words/outcome.ts';
import { costPerProven } from '../../limits/cost-per-proven.ts';
import { crashPauseMs, failurePauseMs, lastIterationNumber, limitName } from '../../limits/retry-policy.ts';
import type { Need } from '../../report/needs/needs.ts';
import { storiesView } from '../../report/views/stories-view.ts';
import { factsOf, planPathOf } from '../../settings/schema/recipe-facts.ts';

/** A run as `ralph watch` follows it: its folded journal, and what only the world can tell. */
export interface WatchedRun {
  readonly state: RunState;
  /** `dead`: its process is gone and it recorded no end. `unknown`: it may be running where we cannot look. */
  readonly standing: 'running' | 'dead' | 'unknown' | 'stopped';
  /** When each effect that is in flight began, by its key. */
  readonly begunMs: ReadonlyMap<string, number>;
  /** How long nothing was in flight so far. */
  readonly idleMs: number;
  /** The last tool call or message of each agent that works, by its attempt. */
  readonly activity: ReadonlyMap<string, Activity>;
  /** The tasks of its plan as it last saw them; null: it has none, or has not looked yet. */
  readonly tasks: readonly SeenTask[] | null;
  /** What of it waits for a person. */
  readonly needs: readonly Need[];
}

export interface Activity {
  readonly text: string;
  readonly atMs: number;
}

interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A run in the words of the screen and of `--json`. */
export interface WatchView {
  readonly run_id: string;
  readonly recipe: string;
  readonly standing: WatchedRun['standing'];
  readonly is_done: boolean;
  /** In one line: running, paused, waiting for a limit, or how it ended. */
  readonly status: string;
  readonly elapsed_ms: number;
  /** Tasks, stories or iterations; null: no end is known. */
  readonly progress: (Progress & { readonly of: 'tasks' | 'stories' | 'iterations' }) | null;
  /** From the pace of this run; null: nothing is done yet, or nobody can tell. */
  readonly left_ms: number | null;
  readonly cost_usd: number | null;
  readonly cost_estimated: boolean;
  readonly cost_per_proven_usd: number | null;
  readonly workers: readonly WorkerView[];
  readonly needs: readonly Need[];
}

export interface WorkerView {
  readonly worker: number;
  readonly iteration: number;
  /** The task or story; empty for a run without a plan. */
  readonly subject: string;
  readonly doing: string;
  readonly since_ms: number | null;
}

/** Null before its first event. */
export function watchView(run: WatchedRun, nowMs: number): WatchView | null {
  const { state, standing } = run;
  if (state.run === null) return null;
  const endMs = standing === 'running' ? nowMs : state.time.lastMs;
  const progress = progressOf(run);
  const elapsed_ms = Math.max(0, endMs - state.run.startedAtMs);
  return {
    run_id: state.run.id,
    recipe: recipeName(state),
    standing,
    is_done: state.stopped !== null && isDone(state.stopped),
    status: statusOf(run, nowMs),
    elapsed_ms,
    progress,
    left_ms: standing === 'running' && progress !== null ? leftMs(state, progress, elapsed_ms - run.idleMs) : null,
    cost_usd: totalCost(state.spent)?.usd ?? null,
    cost_estimated: totalCost(state.spent)?.isEstimated ?? false,
    cost_per_proven_usd: costPerProven(state),
    workers: standing === 'running' ? workersOf(run, nowMs) : [],
    needs: run.needs,
  };
}

function recipeName({ run }: RunState): string {
  return run === null ? '' : factsOf(run.settings).command;
}

function statusOf({ state, standing }: WatchedRun, nowMs: number): string {
  const { stopped, paused, leaving, limit } = state;
  if (stopped !== null) return `${outcomeText(stopped)}: ${stopped.message}`;
  if (standing === 'dead') return 'its process is gone';
  if (standing !== 'running') return 'cannot be seen from here';
  if (leaving !== null) return 'ending what has begun';
  if (limit.untilMs > nowMs) return `${limitName(limit.window)}: waits`;
  if (paused) return 'paused';
  return isPausing(state, nowMs) ? 'pauses after failures' : 'running';
}

/** Between two iterations, longer with each failure in a row. */
function isPausing({ open, inFlight, failuresInARow, run, time }: RunState, nowMs: number): boolean {
  const pauseMs = failurePauseMs(failuresInARow, run?.settings.limits.failurePauseMs ?? 0);
  return open.length === 0 && inFlight.length === 0 && nowMs < time.lastMs + pauseMs;
}

function progressOf({ state, tasks }: WatchedRun): WatchView['progress'] {
  if (planPathOf(state.run?.settings) !== undefined)
    return tasks && { done: tasks.filter(({ standing }) => standing === 'complete').length, total: tasks.length, of: 'tasks' };
  const list = storiesView(state);
  if (list !== null) return list.total === null ? null : { done: list.total - (list.open ?? 0), total: list.total, of: 'stories' };
  const total = lastIterationNumber(state);
  return total === 0 ? null : { done: state.opened, total, of: 'iterations' };
}

/** What was done before this run says nothing about its pace, and neither does the time in which it waited. A paused run may wait for ever. */
function leftMs({ tasks, stories, paused }: RunState, { done, total, of }: NonNullable<WatchView['progress']>, workedMs: number): number | null {
  // Every story that this run has finished and that something proves has a receipt.
  const here = of === 'tasks' ? tasks.counts.done : of === 'stories' ? (stories.receipts?.count ?? 0) : 0;
  return here === 0 || paused ? null : (Math.max(0, workedMs) / here) * (total - done);
}

function workersOf(run: WatchedRun, nowMs: number): readonly WorkerView[] {
  const open = [...run.state.open].sort((one, other) => one.worker - other.worker);
  return open.map((iteration) => ({
    worker: iteration.worker,
    iteration: iteration.number,
    subject: subjectOf(iteration),
    ...doingOf(run, iteration, nowMs),
  }));
}

function subjectOf({ currentTask, turn }: OpenIteration): string {
  if (currentTask !== null) return `${currentTask.task.id} ${currentTask.task.title}`.trim();
  return turn === null ? '' : `${turn.story ?? ''} ${turn.mode}`.trim();
}

function doingOf({ state, begunMs, activity }: WatchedRun, iteration: OpenIteration, nowMs: number): Pick<WorkerView, 'doing' | 'since_ms'> {
  const effect = state.inFlight.findLast((each) => each.iteration === iteration.number);
  if (effect === undefined) return { doing: waitWords(state, iteration, nowMs), since_ms: null };
  const seen = effect.kind === 'run-agent' ? activity.get(attemptId(effect)) : undefined;
  if (seen !== undefined) return { doing: seen.text, since_ms: seen.atMs };
  return { doing: effectWords(effect), since_ms: begunMs.get(effect.key) ?? null };
}

/** Without the time that is left: the words stay the same while it waits. */
function waitWords({ run, limit }: RunState, { currentTask }: OpenIteration, nowMs: number): string {
  if (limit.untilMs > nowMs) return `waits: ${limitName(limit.window)}`;
  const crashes = currentTask?.crashes;
  const retryMs = crashes === undefined ? 0 : crashes.lastMs + crashPauseMs(crashes.count, run?.settings.limits.failurePauseMs ?? 0);
  return retryMs > nowMs ? 'waits before the retry: its agent crashed' : 'waits for its turn';
}

const EFFECT_WORDS: Partial<Record<Effect['kind'], string>> = {
  prove: 'proving the claim',
  'find-living': 'trying the checks',
  merge: 'merging',
  commit: 'committing',
};

function effectWords(effect: Effect): string {
  if (effect.kind === 'run-agent') return effect.role === 'work' ? 'agent works' : `agent: ${effect.role}`;
  if (effect.kind === 'run-gates') return `checks: ${effect.gates.map(({ command }) => command).join(', ')}`;
  if (effect.kind === 'run-command') return effect.argv.join(' ');
  return EFFECT_WORDS[effect.kind] ?? 'preparing';
}
