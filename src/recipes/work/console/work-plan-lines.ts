import type { PlanSettled, TaskNone, WorkspaceClosed, WorkspaceOpened } from '../../../journal/events/work.ts';
import type { Change } from '../../../report/console/change.ts';
import { shorten } from '../../../report/console/excerpt.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import { firstOf, step } from '../../../report/console/work-lines.ts';

const TEXT_CHARS = 300;
const MOST_EDITS = 5;

/** The plan will be looked at again: it is told when that is news. */
export function troubleLines({ before, state }: Change, { glyphs }: Look): readonly Line[] {
  const why = state.tasks.trouble?.why ?? '';
  if (why === before.tasks.trouble?.why) return [];
  return [prose(span(`${glyphs.caution}The plan cannot be worked on: ${shorten(why, TEXT_CHARS)}`, 'bad'), span(' (looking again)', 'dim'))];
}

/** A lane without work while others have some is nothing to speak of; a run that waits for another one is. */
export function waitingLines({ held, reason, detail }: TaskNone, { before, state }: Change, { glyphs }: Look): readonly Line[] {
  const last = before.tasks.nothing;
  const isOld = last !== null && last.reason === reason && last.detail === detail;
  if (!held || isOld || state.open.length > 0 || state.leaving) return [];
  return [prose(span(`${glyphs.hourglass}Nothing to take yet: ${shorten(detail || reason, TEXT_CHARS)}`, 'busy'))];
}

export function workspaceLines({ branch, problem }: WorkspaceOpened, { glyphs }: Look): readonly Line[] {
  if (problem !== null) return [step(`${glyphs.cross}No worktree: ${shorten(problem, TEXT_CHARS)}`, 'bad')];
  return [step(`${glyphs.step}Branch ${shorten(branch, TEXT_CHARS)}`, 'dim')];
}

export function workspaceClosedLines({ kept, problem }: WorkspaceClosed, { glyphs }: Look): readonly Line[] {
  return [
    ...(kept === null ? [] : [step(`${glyphs.step}What was not committed is kept as ${shorten(kept, TEXT_CHARS)}`, 'dim')]),
    ...(problem === null ? [] : [step(`${glyphs.caution}Its worktree stays: ${shorten(problem, TEXT_CHARS)}`, 'busy')]),
  ];
}

/** What the agent wrote into the plan: what counts, and what was taken out. */
export function settledLines({ accepted, refused, problem }: PlanSettled, { glyphs }: Look): readonly Line[] {
  const edits = (texts: readonly string[]) => firstOf(texts, MOST_EDITS).map((text) => shorten(text, TEXT_CHARS));
  return [
    ...(problem === null ? [] : [step(`${glyphs.cross}What it left could not be committed: ${shorten(problem, TEXT_CHARS)}`, 'bad')]),
    ...edits(accepted).map((text) => step(`${glyphs.step}Change of the plan: ${text}`, 'dim')),
    ...edits(refused).map((text) => step(`${glyphs.caution}Change of the plan refused, and put back: ${text}`, 'busy')),
  ];
}
