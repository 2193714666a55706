import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { operatorRequestLines } from '../../../report/console/effect-begun-lines.ts';
import { blank, type Line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, shorten } from '../../../report/console/look.ts';
import { workedMs } from '../../../report/console/spent-text.ts';
import { type Ended, endFacts, fact, toneOf } from '../../../report/console/summary-lines.ts';
import { baseOf, scopeText, spacedDuration } from '../../../report/console/work-lines.ts';

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

/** The end of the screen (seed 000): why there is nothing left to do, and how the tasks ended. */
export function workSummaryLines(ended: Ended, look: DisplaySettings): readonly Line[] {
  const { state } = ended;
  const story = state.run?.settings.work?.filter.story ?? null;
  return [
    blank,
    ...endingLines(ended, look),
    blank,
    prose(span(`${look.glyphs.progress}Ralph Loop Summary`, 'strong')),
    ...(story === null ? [] : [fact('Story', span(shorten(story, TEXT_CHARS)))]),
    fact('Iterations', span(`${state.opened}`)),
    ...countRows(state),
    ...leftBehindRows(state),
    ...receiptRows(state),
    ...endFacts(ended),
  ];
}

/** The same in two lines, for --quiet. */
export function briefWorkSummaryLines(ended: Ended, look: DisplaySettings): readonly Line[] {
  const { outcome, state } = ended;
  const counts = countsOf(state).map(([label, count]) => `${count} ${label.toLowerCase()}`);
  return [
    ...endingLines(ended, look),
    prose(span(`${outcome.stop_reason}: ${[...counts, spacedDuration(workedMs(state))].join(', ')}`)),
    ...leftBehindRows(state),
  ];
}

function endingLines({ outcome, state }: Ended, { glyphs }: DisplaySettings): readonly Line[] {
  const { noTask } = state.tasks;
  const scope = state.run ? scopeText(state.run.settings) : '';
  if (outcome.stop_reason === 'completed') {
    const unproven = state.tasks.unproven ? [prose(span('UNPROVEN: some of them have no check and no declared output', 'busy'))] : [];
    return [prose(span(`${glyphs.tick}All tasks complete${scope}!`, 'good')), ...unproven];
  }
  const message = prose(span(shorten(outcome.message, TEXT_CHARS), toneOf(outcome)));
  if (noTask === null || (outcome.stop_reason !== 'blocked' && outcome.stop_reason !== 'stuck')) return [message];
  const { counts, reason, detail } = noTask;
  const figures = [
    `${counts.complete} of ${counts.total} complete`,
    `${counts.in_progress} in progress`,
    `${counts.blocked} blocked`,
    `${counts.failed} failed`,
  ];
  return [
    prose(span(`${glyphs.pause}No tasks available${scope}`, 'busy'), span(` (${reason}: ${figures.join(', ')})`, 'dim')),
    ...(outcome.stop_reason === 'stuck' ? [message] : []),
    ...(outcome.stop_reason === 'stuck' || detail === '' ? [] : [prose(span(shorten(detail, TEXT_CHARS), 'dim'))]),
  ];
}

/** Counts of zero are shown only where the seed does. */
function countsOf({ tasks: { counts, proofs = [] } }: RunState): readonly (readonly [string, number])[] {
  const held = proofs.filter(({ isParked }) => isParked).length;
  return [
    ['Completed', counts.done],
    ['Not completed', counts.unfinished],
    ['Failed', counts.failed],
    ...(counts.unproven === 0 ? [] : [['Not proven', counts.unproven] as const]),
    ...(counts.conflicts === 0 ? [] : [['Conflicts', counts.conflicts] as const]),
    ...(held === 0 ? [] : [['Held', held] as const]),
  ];
}

function countRows(state: RunState): readonly Line[] {
  return countsOf(state).map(([label, count]) => fact(label, span(`${count}`, count === 0 || label === 'Completed' ? 'plain' : 'bad')));
}

function receiptRows({ run, tasks: { receipts } }: RunState): readonly Line[] {
  if (!receipts) return [];
  const unsigned = receipts.unsigned === null ? '' : `, unsigned: ${shorten(receipts.unsigned, TEXT_CHARS)}`;
  return [fact('Receipts', span(`${receipts.count} in ${receipts.folder}`), span(` (ralph verify ${run?.id})${unsigned}`, 'dim'))];
}

function leftBehindRows(state: RunState): readonly Line[] {
  const { leftBehind } = state.tasks;
  return leftBehind === null ? [] : [fact('Left behind', span(`your ${baseOf(state)} does not follow: ${shorten(leftBehind, TEXT_CHARS)}`, 'busy'))];
}
