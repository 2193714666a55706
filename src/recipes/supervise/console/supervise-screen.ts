import type { RunState } from '../../../journal/state/state.ts';
import { formatDuration, plural } from '../../../kit/pure/amounts.ts';
import { claimAndGreen } from '../../../report/console/gates/proof-lines.ts';
import { type Line, prose, type Span, span } from '../../../report/console/line.ts';
import { row, shorten } from '../../../report/console/look.ts';
import { plainBanner, plainScreen, plainStatus, type RecipeScreen } from '../../../report/console/recipe-screen.ts';
import type { Ended } from '../../../report/console/summary/ended.ts';
import { factsOf } from '../../../settings/schema/recipe-facts.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { isRestarted, type SuperviseSettings, type SuperviseState } from '../supervised-task.ts';
import { restartsUsedUpLines } from './supervise-attempt-lines.ts';
import { listed } from './supervise-child-lines.ts';
import { openSuperviseFeed } from './supervise-feed.ts';

export const superviseScreen: RecipeScreen = {
  ...plainScreen,
  banner: { ...plainBanner, about: aboutTask, limit: restartLimit, rows: superviseRows, doneWhen },
  openFeed: openSuperviseFeed,
  headline: superviseHeadline,
  summaryRows: superviseSummaryRows,
  goOnRows,
  status: { ...plainStatus, waitsFor: restText, iteration: lifeText },
};

const NAMES_CHARS = 300;

function doneWhen(settings: SuperviseSettings): readonly Span[] {
  const isRoot = factsOf(settings).isRestarted;
  return claimAndGreen(isRoot ? [span('the task folder has a file '), span('DONE', 'strong')] : [span('the agent ends well')], settings);
}

/** `task-20260115-044055-docs of demo`. */
function aboutTask(settings: SuperviseSettings): string {
  const { supervise } = settings;
  return `${factsOf(settings).isRestarted ? '' : 'a job of '}${supervise.task} of ${supervise.project}`;
}

function restartLimit(settings: SuperviseSettings): string {
  return factsOf(settings).isRestarted ? plural(settings.supervise.maxRestarts, 'restart') : 'one start';
}

/** The settings that only a supervised run has; unused ones are not mentioned. */
function superviseRows(settings: SuperviseSettings): readonly Line[] {
  const { supervise } = settings;
  const { folder, parent, dependsOn } = supervise;
  return [
    row('task', span(folder)),
    row('bus', span(`${folder}/TASK-MESSAGE-BUS.md`)),
    ...(parent === null ? [] : [row('parent', span(`run ${parent}`))]),
    ...(dependsOn.length === 0 ? [] : [row('depends on', span(shorten(dependsOn.join(', '), NAMES_CHARS)))]),
    ...(factsOf(settings).isRestarted ? [row('restarts', span(restartsText(supervise)))] : []),
    row('children', span(childrenText(supervise))),
  ];
}

function restartsText({ maxRestarts, restartDelayMs, backoffMs, intensity }: SuperviseSpec): string {
  return [
    `${maxRestarts} at most`,
    `${formatDuration(restartDelayMs)} apart`,
    ...(backoffMs === 0 ? [] : [`up to ${formatDuration(backoffMs)} after failures in a row`]),
    ...(intensity === null ? [] : [`given up after more than ${intensity.failures} failures within ${formatDuration(intensity.withinMs)}`]),
  ].join(', ');
}

function childrenText({ waitTimeoutMs, waitScope, killChildren }: SuperviseSpec): string {
  const where = waitScope === 'project' ? ', in any task of the project' : '';
  return `awaited at the end${where}, at most ${formatDuration(waitTimeoutMs)}, then ${killChildren ? 'ended' : 'left running'}`;
}

/** The summary rows that only a supervised run has: its restarts, its children, and how to continue when it waits. */
function superviseSummaryRows({ state }: Ended<SuperviseSettings>): readonly Line[] {
  return [...restartRows(state), ...childRows(state)];
}

function restartRows(state: SuperviseState): readonly Line[] {
  if (!isRestarted(state)) return [];
  const { run, opened, abandoned, task } = state;
  const { refusals } = task;
  const refused = refusals === 0 ? '' : `, DONE refused ${refusals === 1 ? 'once' : `${refusals} times`}`;
  return [row('restarts', span(`${opened - abandoned} of ${run.settings.supervise.maxRestarts}${refused}`))];
}

function childRows({ children: { started, refused, outlived, active } }: RunState): readonly Line[] {
  if (started.length + refused.length + active.length === 0) return [];
  const counts = [`${started.length} started`, ...(refused.length === 0 ? [] : [`${refused.length} refused`])].join(', ');
  const late = outlived.length === 0 ? [] : [span(`, ${plural(outlived.length, 'run')} outlived the wait`, 'busy')];
  const left = active.length === 0 ? [] : [span(`, still running: ${listed(active)}`, 'bad')];
  return [row('children', span(counts), ...late, ...left)];
}

/** The words of seed 002 when the restarts are used up, above those of the outcome. */
function superviseHeadline({ outcome, state }: Ended<SuperviseSettings>): readonly Line[] | null {
  const usedUp = restartsUsedUpLines(outcome, state);
  return usedUp.length === 0 ? null : [...usedUp, prose(span(outcome.message, 'bad'))];
}

/** A run that waits is not over. */
function goOnRows({ outcome, state: { run } }: Ended<SuperviseSettings>): readonly Line[] {
  return outcome.stop_reason === 'waiting' ? [row('continue', span(`ralph runs resume ${run.id}`, 'strong'))] : [];
}

const BLOCKERS_CHARS = 60;

/** The number of the start; empty for the run as a whole. */
function lifeText(iteration: number, state: SuperviseState): readonly string[] {
  if (iteration === 0 || !isRestarted(state)) return [];
  return [`attempt ${state.opened - state.abandoned}/${state.run.settings.supervise.maxRestarts}`];
}

/** What a supervised run waits for when no effect is running, and since when; null: nothing worth showing. */
function restText({ children, task, opened }: RunState): { readonly what: string; readonly sinceMs: number | null } | null {
  const { active, awaitedSinceMs } = children;
  if (awaitedSinceMs !== null && active.length > 0)
    return { what: `waiting for ${active.length === 1 ? '1 child' : `${active.length} children`}`, sinceMs: awaitedSinceMs };
  if (opened > 0 || task.blockedBy.length === 0) return null;
  return { what: `blocked by ${shorten(task.blockedBy.map(({ task: name }) => name).join(', '), BLOCKERS_CHARS)}`, sinceMs: null };
}
