import { endingText } from '../../../journal/ending-text.ts';
import type { AttemptEnded } from '../../../journal/events/attempt.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { WAIT_EXIT_CODE } from '../../../journal/evolve/task.ts';
import type { RunState } from '../../../journal/state/state.ts';
import type { Outcome } from '../../../journal/words/outcome.ts';
import { restartPauseMs } from '../../../limits/retry-policy.ts';
import { attemptLines } from '../../../report/console/attempt-lines.ts';
import { blank, type Line, line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, shorten } from '../../../report/console/look.ts';
import { longDuration } from '../../../report/console/spent-text.ts';
import { isRestarted, type SuperviseState } from '../supervised-task.ts';

/** The number of starts that count. */
const PATH_CHARS = 300;
const livesOf = ({ opened, abandoned }: RunState) => opened - abandoned;
const mostLives = ({ run }: SuperviseState) => run.settings.supervise.maxRestarts;

/** `=== Ralph attempt 1/100 ===`; a job has only one, without a number. */
export function attemptHeading(state: SuperviseState): readonly Line[] {
  return isRestarted(state) ? [blank, line(span(`=== Ralph attempt ${livesOf(state)}/${mostLives(state)} ===`, 'accent'))] : [blank];
}

/** How one start of the agent ended, in the words of seed 002 where it has some. */
export function attemptEndedLines(body: AttemptEnded, change: Change, look: DisplaySettings): readonly Line[] {
  if (wasTimeout(body)) return timeoutLines(body, change.state);
  if (isRestarted(change.state) && exitedToWait(body)) return [blank, prose(span(`Agent exited with code ${WAIT_EXIT_CODE}`, 'busy'))];
  if (wasEndedAfterDone(body, change)) return [blank, prose(span('Ralph ended the agent: DONE exists, and its grace period is over', 'busy'))];
  if (body.verdict === 'empty') return [blank, prose(span('The agent ended without a word.', 'busy'))];
  if (body.verdict === 'lost') return [prose(span('The agent was cut off when the supervisor died.', 'busy'))];
  return attemptLines(body, change, look);
}

function wasEndedAfterDone({ ending }: AttemptEnded, { before, state }: Change): boolean {
  return ending.kind === 'stopped' && ending.cause === 'cancelled' && before.task.doneSinceMs !== null && !state.leaving;
}

/** Shown when the agent has ended: by then its process group is gone. */
function timeoutLines({ ending }: AttemptEnded, { run }: RunState): readonly Line[] {
  const { idleMs = 0, iterationMs = 0 } = run?.settings.limits ?? {};
  const silent = ending.kind === 'stopped' && ending.cause === 'idle';
  return [
    blank,
    prose(span(`Agent timeout after ${longDuration(silent ? idleMs : iterationMs)}${silent ? ' without output' : ''}, killing process group`, 'bad')),
    prose(span('Process group killed, treating as failure', 'bad')),
  ];
}

function wasTimeout({ verdict, ending }: AttemptEnded): boolean {
  return verdict === 'failed' && ending.kind === 'stopped' && (ending.cause === 'idle' || ending.cause === 'deadline');
}

const exitedToWait = ({ ending }: AttemptEnded) => ending.kind === 'exited' && ending.code === WAIT_EXIT_CODE;

/** Announces the restart and its reason; empty when there is none, or when the previous end is unknown. */
export function restartLines(last: AttemptEnded | null, state: SuperviseState): readonly Line[] {
  const { run, failuresInARow, leaving, fatal } = state;
  const { supervise } = run.settings;
  const lives = livesOf(state);
  if (!last || last.verdict === 'lost' || leaving || fatal || lives >= supervise.maxRestarts) return [];
  const pauseMs = restartPauseMs(failuresInARow, supervise);
  const later = pauseMs > supervise.restartDelayMs ? [span(` (in ${longDuration(pauseMs)})`, 'dim')] : [];
  if (wasTimeout(last)) return [prose(span(`Restarting agent (attempt ${lives + 1}/${supervise.maxRestarts})`, 'busy'), ...later)];
  const isUndone = last.verdict === 'ok' || last.verdict === 'empty';
  const how = isUndone ? 'ended without DONE' : 'failed';
  const where = isUndone ? [span(` (no file ${shorten(supervise.folder, PATH_CHARS)}/DONE)`, 'dim')] : [];
  return [prose(span(`Attempt ${lives}: Agent ${how} (${endingText(last.ending)}), restarting...`, 'busy'), ...where, ...later)];
}

export function uncountedAttemptLines({ iteration, result }: Extract<EventBody, { type: 'iteration.closed' }>): readonly Line[] {
  return result === 'abandoned' ? [prose(span(`Attempt ${iteration} does not count.`, 'dim'))] : [];
}

/** The last line of the loop when the restarts are used up (seed 002). */
export function restartsUsedUpLines({ stop_reason }: Outcome, state: RunState): readonly Line[] {
  return stop_reason === 'max_restarts' ? [prose(span(`Attempt ${livesOf(state)}: Max restarts exceeded, stopping`, 'bad'))] : [];
}
