import type { EventBody } from '../../../journal/events/journal-event.ts';
import { openQuestions } from '../../../journal/state/questions.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { completeTasks, parkedTries } from '../../../journal/state/work-state.ts';
import { operatorRequestLines } from '../../../report/console/effect-begun-lines.ts';
import { blank, type Line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, row, shorten } from '../../../report/console/look.ts';
import type { Ended } from '../../../report/console/summary/ended.ts';
import { toneOf } from '../../../report/console/summary/summary-lines.ts';
import { baseOf, scopeText } from '../../../report/console/work-lines.ts';
import type { WorkSettings, WorkState } from '../task-progress.ts';

const TEXT_CHARS = 300;

/** `🛑 Interrupted by user (SIGINT)` (seed 000), and what happens now. */
export function interruptedLines(
  body: Extract<EventBody, { type: 'operator.asked' }>,
  { before, state: { run } }: Change,
  { glyphs }: DisplaySettings,
): readonly Line[] {
  const plain = operatorRequestLines(body, run?.settings.limits.graceMs ?? null);
  const isLeaving = body.what === 'drain' || body.what === 'abort';
  if (!isLeaving || before.leaving || !body.by.startsWith('SIG')) return plain;
  return [blank, prose(span(`${glyphs.halt}Interrupted by user (${body.by})`, 'strong')), ...plain.slice(-1)];
}

/** Why there is nothing left to do (seed 000). */
export function workHeadline({ outcome, state }: Ended<WorkSettings>, { glyphs }: DisplaySettings): readonly Line[] {
  const { noTask } = state.tasks;
  const scope = scopeText(state.run.settings);
  if (outcome.stop_reason === 'completed') {
    const unproven = state.tasks.unproven ? [prose(span('UNPROVEN: some of them have no check and no declared output', 'busy'))] : [];
    return [prose(span(`${glyphs.tick}All tasks complete${scope}!`, 'good')), ...unproven];
  }
  const message = prose(span(shorten(outcome.message, TEXT_CHARS), toneOf(outcome)));
  if (noTask === null || (outcome.stop_reason !== 'blocked' && outcome.stop_reason !== 'stuck')) return [message];
  const { counts, reason, detail } = noTask;
  const { in_progress, blocked, failed } = counts;
  const open = Object.entries({ 'in progress': in_progress, blocked, failed }).filter(([, count]) => count > 0);
  const figures = [`${counts.complete} of ${counts.total} complete`, ...open.map(([label, count]) => `${count} ${label}`)];
  return [
    prose(span(`${glyphs.pause}No tasks available${scope}`, 'busy'), span(` (${reason}: ${figures.join(', ')})`, 'dim')),
    ...(outcome.stop_reason === 'stuck' ? [message] : []),
    ...(outcome.stop_reason === 'stuck' || detail === '' ? [] : [prose(span(shorten(detail, TEXT_CHARS), 'dim'))]),
  ];
}

/** How the tasks ended. */
export function workSummaryRows({ state }: Ended<WorkSettings>): readonly Line[] {
  const { story } = state.run.settings.work.filter;
  const standing = standingText(state);
  const isAllWell = countsOf(state).every(([label, count]) => label === 'completed' || count === 0);
  return [
    ...(story === null ? [] : [row('story', span(shorten(story, TEXT_CHARS)))]),
    ...(standing === null ? [] : [row('tasks', span(standing, isPlanDone(state) ? 'good' : 'bad'))]),
    row(standing === null ? 'tasks' : 'tries', span(taskFigures(state).join(', '), isAllWell ? 'good' : 'bad')),
  ];
}

/** `7 of 10 completed, 2 failed, 1 parked`; null: the tries say the same, or nobody has counted the tasks. */
function standingText(state: RunState): string | null {
  const known = completeTasks(state.tasks);
  if (known === null || (known.complete === known.total && countsOf(state).length === SEED_COUNTS)) return null;
  const others = openCounts(state).filter(([, count]) => count > 0);
  return [`${known.complete} of ${known.total} completed`, ...others.map(([label, count]) => `${count} ${label}`)].join(', ');
}

const isPlanDone = ({ tasks }: RunState) => {
  const known = completeTasks(tasks);
  return known !== null && known.complete === known.total;
};

/** As the plan said last; before that, what this run has left to a person. */
function openCounts(state: RunState): readonly (readonly [string, number])[] {
  const { noTask, left = [], proofs = [] } = state.tasks;
  const asking = openQuestions(state).filter(({ task }) => task !== null).length;
  const {
    failed,
    blocked,
    parked = 0,
  } = noTask?.counts ?? { failed: left.length, blocked: 0, parked: asking + proofs.filter(({ isParked }) => isParked).length };
  return [
    ['failed', failed],
    ['parked', parked],
    ['blocked', Math.max(0, blocked - parked)],
  ];
}

/** `2 completed`, `1 failed`. */
export function taskFigures(state: RunState): readonly string[] {
  return countsOf(state).map(([label, count]) => `${count} ${label}`);
}

const SEED_COUNTS = 2;

/** Every iteration is in exactly one of them. Counts of zero are shown only where the seed does. */
function countsOf(state: RunState): readonly (readonly [string, number])[] {
  const { counts } = state.tasks;
  const parked = parkedTries(state);
  const rare = [
    ['not completed', counts.unfinished],
    ['not proven', counts.unproven],
    ['in conflict', counts.conflicts],
    // One task may be parked several times.
    [parked === 1 ? 'try parked' : 'tries parked', parked],
    ['interrupted', state.abandoned],
  ] as const;
  return [['completed', counts.done], ['failed', counts.failed], ...rare.filter(([, count]) => count > 0)];
}

export function leftBehindRows(state: WorkState): readonly Line[] {
  const { leftBehind } = state.tasks;
  return leftBehind === null ? [] : [row('left behind', span(`your ${baseOf(state)} does not follow: ${shorten(leftBehind, TEXT_CHARS)}`, 'busy'))];
}
