import type { RunState } from '../../../journal/state/state.ts';
import type { Outcome } from '../../../journal/words/outcome.ts';
import { formatDuration } from '../../../kit/pure/duration.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { row, shorten } from '../../../report/console/look.ts';
import { plainScreen, plainStatus, type RecipeScreen } from '../../../report/console/recipe-screen.ts';
import { plural } from '../../../report/console/spent-text.ts';
import type { RunSettings, SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { restartsUsedUpLines } from './supervise-attempt-lines.ts';
import { listed } from './supervise-child-lines.ts';
import { openSuperviseFeed } from './supervise-feed.ts';

export const superviseScreen: RecipeScreen = {
  ...plainScreen,
  banner: { title: superviseTitle, rows: superviseRows },
  openFeed: openSuperviseFeed,
  linesBeforeSummary: ({ outcome, state }) => restartsUsedUpLines(outcome, state),
  summaryRows: superviseSummaryRows,
  goOnRows,
  status: { ...plainStatus, waitsFor: restText, iteration: lifeText },
};

const NAMES_CHARS = 300;

/** `Ralph Supervise: task-20260115-044055-docs of demo, max 100 restarts`. */
function superviseTitle({ recipe, supervise }: RunSettings): readonly Line[] {
  if (supervise === null) return [];
  const of = `${supervise.task} of ${supervise.project}`;
  return [prose(span(recipe === 'job' ? `Ralph Job: ${of}` : `Ralph Supervise: ${of}, max ${supervise.maxRestarts} restarts`))];
}

/** The settings that only a supervised run has; unused ones are not mentioned. */
function superviseRows({ recipe, supervise }: RunSettings): readonly Line[] {
  if (supervise === null) return [];
  const { folder, parent, dependsOn } = supervise;
  return [
    row('task', span(folder)),
    row('bus', span(`${folder}/TASK-MESSAGE-BUS.md`)),
    ...(parent === null ? [] : [row('parent', span(`run ${parent}`))]),
    ...(dependsOn.length === 0 ? [] : [row('depends on', span(shorten(dependsOn.join(', '), NAMES_CHARS)))]),
    ...(recipe === 'job' ? [] : [row('restarts', span(restartsText(supervise)))]),
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

interface Ended {
  readonly outcome: Outcome;
  readonly state: RunState;
}

/** The summary rows that only a supervised run has: its restarts, its children, and how to continue when it waits. */
function superviseSummaryRows(ended: Ended): readonly Line[] {
  const { state } = ended;
  if (!state.run?.settings.supervise) return [];
  return [...jobProofRows(ended), ...restartRows(state), ...childRows(state), ...goOnRows(ended)];
}

/** A job makes no claim, so its proof has a row of its own. */
function jobProofRows({ outcome, state: { run } }: Ended): readonly Line[] {
  if (run?.settings.recipe !== 'job' || outcome.stop_reason !== 'completed') return [];
  const gates = run.settings.gates.map(({ command }) => shorten(command, 60)).join(', ');
  return [row('proof', outcome.unproven ? span('UNPROVEN: no check was given', 'busy') : span(`proven by: ${gates}`, 'good'))];
}

function restartRows({ run, opened, abandoned, task: { refusals } }: RunState): readonly Line[] {
  const supervise = run?.settings.supervise;
  if (!supervise || run.settings.recipe === 'job') return [];
  const refused = refusals === 0 ? '' : `, DONE refused ${refusals === 1 ? 'once' : `${refusals} times`}`;
  return [row('restarts', span(`${opened - abandoned} of ${supervise.maxRestarts}${refused}`))];
}

function childRows({ children: { started, refused, outlived, active } }: RunState): readonly Line[] {
  if (started.length + refused.length + active.length === 0) return [];
  const counts = [`${started.length} started`, ...(refused.length === 0 ? [] : [`${refused.length} refused`])].join(', ');
  const late = outlived.length === 0 ? [] : [span(`, ${plural(outlived.length, 'run')} outlived the wait`, 'busy')];
  const left = active.length === 0 ? [] : [span(`, still running: ${listed(active)}`, 'bad')];
  return [row('children', span(counts), ...late, ...left)];
}

/** A run that waits is not over. */
function goOnRows({ outcome, state: { run } }: Ended): readonly Line[] {
  if (outcome.stop_reason !== 'waiting' || !run?.settings.supervise) return [];
  return [row('continue', span(`ralph runs resume ${run.id}`, 'strong'))];
}

const BLOCKERS_CHARS = 60;

/** The number of the start; empty for the run as a whole. */
function lifeText(iteration: number, { run, opened, abandoned }: RunState): readonly string[] {
  if (iteration === 0 || run?.settings.recipe === 'job') return [];
  return [`attempt ${opened - abandoned}/${run?.settings.supervise?.maxRestarts ?? 0}`];
}

/** What a supervised run waits for when no effect is running, and since when; null: nothing worth showing. */
function restText({ children, task, opened }: RunState): { readonly what: string; readonly sinceMs: number | null } | null {
  const { active, awaitedSinceMs } = children;
  if (awaitedSinceMs !== null && active.length > 0)
    return { what: `waiting for ${active.length === 1 ? '1 child' : `${active.length} children`}`, sinceMs: awaitedSinceMs };
  if (opened > 0 || task.blockedBy.length === 0) return null;
  return { what: `blocked by ${shorten(task.blockedBy.map(({ task: name }) => name).join(', '), BLOCKERS_CHARS)}`, sinceMs: null };
}
