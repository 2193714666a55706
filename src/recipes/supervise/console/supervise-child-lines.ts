import type { Effect } from '../../../journal/effects/effect.ts';
import type { ChildRefused, ChildrenEnded, ChildStarted } from '../../../journal/events/task.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, shorten } from '../../../report/console/look.ts';
import { longDuration } from '../../../report/console/spent-text.ts';
import type { SuperviseState } from '../supervised-task.ts';

const REASON_CHARS = 300;
const RUNS_SHOWN = 10;

export function childStartedLines({ run, pid }: ChildStarted): readonly Line[] {
  return [prose(span(`Child ${run} started`, 'accent'), span(` (pid ${pid})`, 'dim'))];
}

export function childRefusedLines({ run, why }: ChildRefused, { glyphs }: DisplaySettings): readonly Line[] {
  return [prose(span(`${glyphs.warning}Child ${run} not started: ${shorten(why, REASON_CHARS)}`, 'bad'))];
}

/** The agent that asked for it died with the loop; other lost effects are repeated. */
export function lostChildLines(effect: Effect | undefined, { glyphs }: DisplaySettings): readonly Line[] | null {
  if (effect?.kind !== 'start-child') return null;
  return [prose(span(`${glyphs.warning}Child ${effect.child.run} was not started before the loop died, and will not be started again.`, 'bad'))];
}

/** Only children that appeared or ended; those that the loop started were already shown. */
export function childrenSeenLines({ before, state }: Change): readonly Line[] {
  const { active, started } = state.children;
  const gone = before.children.active.filter((run) => !active.includes(run));
  const come = active.filter((run) => !before.children.active.includes(run) && !started.includes(run));
  const left = active.length === 0 ? '' : `, ${active.length} running`;
  return [
    ...(come.length === 0 ? [] : [prose(span(`${come.length === 1 ? 'Child' : 'Children'} seen running: ${listed(come)}`, 'accent'))]),
    ...(gone.length === 0 ? [] : [prose(span(`${gone.length === 1 ? 'Child' : 'Children'} ended: ${listed(gone)}${left}`, 'accent'))]),
  ];
}

export function childrenAwaitedLines(active: readonly string[]): readonly Line[] {
  return [prose(span(`waiting for ${active.length === 1 ? '1 child' : `${active.length} children`} to complete: ${listed(active)}`, 'busy'))];
}

export function childrenOutlivedLines(active: readonly string[], { run }: SuperviseState, { glyphs }: DisplaySettings): readonly Line[] {
  if (run === null) return [];
  const { waitTimeoutMs, killChildren } = run.settings.supervise;
  const fate = killChildren ? 'they will be ended' : 'they are left running';
  return [
    prose(span(`${glyphs.warning}timeout waiting for children after ${longDuration(waitTimeoutMs)}: ${listed(active)}`, 'bad'), span(` (${fate})`, 'dim')),
  ];
}

export function childrenEndedLines({ ended, left }: ChildrenEnded, { glyphs }: DisplaySettings): readonly Line[] {
  return [
    ...(ended.length === 0 ? [] : [prose(span(`Ended ${ended.length === 1 ? '1 child' : `${ended.length} children`}: ${listed(ended)}`, 'busy'))]),
    ...(left.length === 0 ? [] : [prose(span(`${glyphs.warning}Could not be ended: ${listed(left)}`, 'bad'))]),
  ];
}

export function listed(runs: readonly string[]): string {
  const hidden = runs.length - RUNS_SHOWN;
  return `[${runs.slice(0, RUNS_SHOWN).join(', ')}${hidden > 0 ? `, and ${hidden} more` : ''}]`;
}
