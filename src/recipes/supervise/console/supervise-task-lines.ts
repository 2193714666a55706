import type { AttemptEnded } from '../../../journal/events/attempt.ts';
import type { DoneRefused, DoneSight, Posted, TaskSeen, WaitSight } from '../../../journal/events/task.ts';
import { longDuration } from '../../../report/views/long-duration.ts';
import type { RunState } from '../../../journal/state/state.ts';
import type { Change } from '../../../report/console/change.ts';
import { shorten } from '../../../report/console/excerpt.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import { plural } from '../../../report/console/spent-text.ts';
import { childrenSeenLines } from './supervise-child-lines.ts';
import { restartLines } from './supervise-life-lines.ts';

const REASON_CHARS = 300;

const signalText: Readonly<Record<WaitSight['by'], string>> = { 'exit-code': 'exit code', bus: 'bus message', marker: 'marker file' };

/** What a look at the task folder means for the run. What it says as before is not said again. */
export function lookLines(seen: TaskSeen, change: Change, last: AttemptEnded | null): readonly Line[] {
  return [...childrenSeenLines(change), ...sightLines(seen, change, last)];
}

function sightLines({ before, done }: TaskSeen, change: Change, last: AttemptEnded | null): readonly Line[] {
  const { state } = change;
  const { wait } = state.task;
  if (done.kind === 'problem') return [];
  if (done.kind === 'file') return change.before.task.sight?.done.kind === 'file' ? [] : [prose(span(doneText(state), 'good'))];
  if (wait) return [prose(span(`Wait-without-restart signal detected (${signalText[wait.by]}): ${shorten(wait.reason, REASON_CHARS)}`, 'busy'))];
  return [...dependencyLines(change), ...(before === 0 ? restartLines(last, state) : [])];
}

function doneText({ run }: RunState): string {
  const checks = run?.settings.gates.length ?? 0;
  return checks === 0 ? 'DONE is there' : `DONE is there, ${checks === 1 ? 'the check decides' : `${checks} checks decide`}`;
}

/** Seen while the agent still runs. */
export function doneSeenLines(done: DoneSight, { run }: RunState, { glyphs }: Look): readonly Line[] {
  if (done.kind === 'absent') return [prose(span('DONE is gone again', 'busy'))];
  if (done.kind === 'problem') return [prose(span(`${glyphs.warning}${shorten(done.why, REASON_CHARS)}`, 'bad'))];
  const graceMs = run?.settings.supervise?.doneGraceMs ?? 0;
  return [prose(span(`DONE is there, the agent may stay ${graceMs === 0 ? 'until it ends' : `for ${longDuration(graceMs)}`}`, 'good'))];
}

export function doneRefusedLines({ renamed }: DoneRefused, { before }: Change, { glyphs }: Look): readonly Line[] {
  const red = before.task.judged?.failures.length ?? 0;
  const why = red === 0 ? 'it was not proven' : `${plural(red, 'check')} red`;
  const place = renamed === null ? 'somebody had taken it away already' : `it is called ${renamed} now`;
  return [prose(span(`${glyphs.warning}DONE refused: ${why}; ${place}`, 'bad'))];
}

/** The task is done all the same (seed 002: best effort), but somebody should know. */
export function postedLines({ problem }: Posted, { glyphs }: Look): readonly Line[] {
  if (problem === null) return [];
  return [prose(span(`${glyphs.warning}The project could not be told of the completion: ${shorten(problem, REASON_CHARS)}`, 'bad'))];
}

export function dependencyLines({ before, state }: Change): readonly Line[] {
  const blockers = state.task.blockedBy.map(({ task, why }) => `${task} (${why})`).join(', ');
  if (blockers === before.task.blockedBy.map(({ task, why }) => `${task} (${why})`).join(', ')) return [];
  if (blockers === '') return [prose(span('Dependencies satisfied, starting task', 'good'))];
  return [prose(span(`Task blocked by dependencies: ${shorten(blockers, REASON_CHARS)}`, 'busy'))];
}
