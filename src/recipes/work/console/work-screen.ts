import type { Effect } from '../../../journal/effects/effect.ts';
import type { OpenIteration, RunState } from '../../../journal/state/state.ts';
import { agentName, agentNamed } from '../../../limits/agents.ts';
import { idText, shorten } from '../../../report/console/look.ts';
import { plainScreen, plainStatus, type RecipeScreen } from '../../../report/console/recipe-screen.ts';
import { elapsedText } from '../../../report/console/status-feed.ts';
import type { Ended } from '../../../report/console/summary/ended.ts';
import { baseOf } from '../../../report/console/work-lines.ts';
import type { WorkSettings, WorkState } from '../task-progress.ts';
import { openWorkFeed } from './work-feed.ts';
import { workBanner } from './work-rows.ts';
import { leftBehindRows, taskFigures, workHeadline, workSummaryRows } from './work-summary-lines.ts';

export const workScreen: RecipeScreen = {
  ...plainScreen,
  banner: workBanner,
  openFeed: openWorkFeed,
  headline: workHeadline,
  summaryRows: workSummaryRows,
  figures: ({ state }) => taskFigures(state),
  goOnRows: ({ state }: Ended<WorkSettings>) => leftBehindRows(state),
  status: { ...plainStatus, parts: statusParts },
};

const TEXT_CHARS = 60;

/** All workers share the one line; null when there is nothing to show. */
function statusParts(state: WorkState, nowMs: number): readonly string[] | null {
  const lanes = workersText(state, nowMs);
  const idle = lanes.length === 0 ? idleText(state) : null;
  const leftMs = state.limit.untilMs - nowMs;
  const limit = leftMs > 0 ? [`usage limit, ${elapsedText(leftMs)} left`] : [];
  const parts = [...lanes, ...(idle === null ? [] : [idle]), ...limit];
  return parts.length === 0 ? null : parts;
}

/** What each worker does and for how long: `w1 T-1 2m · w2 T-4 merging 12s`. Empty when none has a task. */
function workersText(state: WorkState, nowMs: number): readonly string[] {
  const lanes = [...state.open].sort((one, other) => one.worker - other.worker);
  if (state.run?.settings.lanes === 1) return lanes.flatMap((iteration) => workerParts(iteration, state, nowMs));
  return lanes.map((iteration) => {
    const doing = doingText(iteration, state);
    return [`w${iteration.worker}`, taskOf(iteration), ...(doing === null ? [] : [doing]), elapsedText(nowMs - iteration.openedAtMs)].join(' ');
  });
}

/** With only one worker there is space to name the agent. */
function workerParts(iteration: OpenIteration, state: WorkState, nowMs: number): readonly string[] {
  const effect = inFlightOf(iteration, state);
  const agent = effect?.kind === 'run-agent' && state.run ? agentName(agentNamed(state.run.settings, effect.agent)) : null;
  const doing = doingText(iteration, state) ?? (agent === null ? null : `${shorten(agent, TEXT_CHARS)} works`);
  return [`[${iteration.number}] ${taskOf(iteration)}`, ...(doing === null ? [] : [doing]), elapsedText(nowMs - iteration.openedAtMs)];
}

/** What an idle run waits for; null: nothing worth showing. */
function idleText({ tasks: { noTask, planProblem }, paused }: RunState): string | null {
  if (paused) return 'paused';
  if (planProblem !== null) return `looking again at the plan: ${shorten(planProblem.why, TEXT_CHARS)}`;
  return noTask?.held ? `no task is ready yet: ${shorten(noTask.detail || noTask.reason, TEXT_CHARS)}` : null;
}

const taskOf = ({ currentTask, number }: OpenIteration) => (currentTask ? idText(currentTask.task.id) : `iteration ${number}`);

function inFlightOf({ number }: OpenIteration, { inFlight }: RunState): Effect | undefined {
  return inFlight.findLast(({ iteration }) => iteration === number);
}

/** Null while an agent works, which is the normal case, or while nothing takes long. */
function doingText(iteration: OpenIteration, state: WorkState): string | null {
  const effect = inFlightOf(iteration, state);
  if (effect === undefined) return state.limit.strikes > 0 ? 'rate limited' : null;
  if (effect.kind === 'run-agent') return effect.role === 'resolve' ? 'resolving' : null;
  if (effect.kind === 'run-gates') return 'checking';
  return effect.kind === 'merge' ? `merging into ${baseOf(state)}` : null;
}
