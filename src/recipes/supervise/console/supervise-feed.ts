import type { AttemptEnded } from '../../../journal/events/attempt.ts';
import { type EventTable, lookUp } from '../../../journal/events/recipe-events.ts';
import type { DoneFileState, DoneRefused, Posted, TaskSeen, WaitRequest } from '../../../journal/events/task.ts';
import { openQuestions } from '../../../journal/state/questions.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { plural } from '../../../kit/pure/amounts.ts';
import { blank, type Line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, shorten } from '../../../report/console/look.ts';
import type { RecipeFeed } from '../../../report/console/recipe-screen.ts';
import { longDuration } from '../../../report/console/spent-text.ts';
import type { SuperviseSettings, SuperviseState } from '../supervised-task.ts';
import { attemptEndedLines, attemptHeading, restartLines, uncountedAttemptLines } from './supervise-attempt-lines.ts';
import {
  childRefusedLines,
  childrenAwaitedLines,
  childrenEndedLines,
  childrenOutlivedLines,
  childrenSeenLines,
  childStartedLines,
  lostChildLines,
} from './supervise-child-lines.ts';

type SuperviseChange = Change<SuperviseSettings>;

interface Known {
  /** How the last start of the agent ended; null when unknown. */
  readonly last: AttemptEnded | null;
  readonly look: DisplaySettings;
}

/** The screen of a supervised run, where it differs from that of any other run. It remembers how the last agent ended, because the restart is known only later. */
export function openSuperviseFeed(look: DisplaySettings): RecipeFeed {
  let last: AttemptEnded | null = null;
  return {
    linesFor(body, change: SuperviseChange) {
      if (body.type === 'attempt.ended') last = body;
      return lookUp(linesByType, body, change, { last, look }) ?? null;
    },
    hearProgress: () => null,
  };
}

/** Events that are missing here are shown as in any other run. */
const linesByType: EventTable<[change: SuperviseChange, known: Known], readonly Line[] | null> = {
  'iteration.opened': (_body, { state }) => attemptHeading(state),
  'effect.begun': ({ effect }) => (effect.kind === 'run-agent' ? againLines(effect.attempt) : null),
  'effect.lost': ({ key }, { before }, { look }) =>
    lostChildLines(
      before.inFlight.find((effect) => effect.key === key),
      look,
    ),
  'attempt.ended': (body, change, { look }) => attemptEndedLines(body, change, look),
  'iteration.closed': (body) => uncountedAttemptLines(body),
  'task.seen': (body, change, { last }) => lookLines(body, change, last),
  'done.seen': ({ done }, { state }, { look }) => (isAtWork(state) ? doneSeenLines(done, state, look) : []),
  'done.refused': (body, change, { look }) => doneRefusedLines(body, change, look),
  'dependencies.seen': (_body, change) => dependencyLines(change),
  'child.started': (body) => childStartedLines(body),
  'child.refused': (body, _change, { look }) => childRefusedLines(body, look),
  'children.seen': (_body, change) => childrenSeenLines(change),
  'children.awaited': ({ active }) => childrenAwaitedLines(active),
  'children.outlived': ({ active }, { state }, { look }) => childrenOutlivedLines(active, state, look),
  'children.ended': (body, _change, { look }) => childrenEndedLines(body, look),
  posted: (body, _change, { look }) => postedLines(body, look),
};

/** Between two starts, the next look at the task folder shows it. */
function isAtWork({ inFlight }: RunState): boolean {
  return inFlight.some((effect) => effect.kind === 'run-agent');
}

function againLines(attempt: number): readonly Line[] {
  return attempt === 1 ? [] : [blank, prose(span('The agent is started once more; this does not count as a restart.', 'accent'))];
}

const REASON_CHARS = 300;

const signalText: Readonly<Record<WaitRequest['by'], string>> = { 'exit-code': 'exit code', bus: 'bus message', marker: 'marker file' };

/** What the state of the task folder means for the run. Repeated facts are not shown again. */
function lookLines(seen: TaskSeen, change: SuperviseChange, last: AttemptEnded | null): readonly Line[] {
  return [...childrenSeenLines(change), ...sightLines(seen, change, last)];
}

function sightLines({ before, done }: TaskSeen, change: SuperviseChange, last: AttemptEnded | null): readonly Line[] {
  const { state } = change;
  const { wait } = state.task;
  if (done.kind === 'problem') return [];
  if (done.kind === 'file') return change.before.task.lastLook?.done.kind === 'file' ? [] : [prose(span(doneText(state), 'good'))];
  if (wait) return [prose(span(`Wait-without-restart signal detected (${signalText[wait.by]}): ${shorten(wait.reason, REASON_CHARS)}`, 'busy'))];
  return [...dependencyLines(change), ...(before === 0 && !endedWithQuestion(state) ? restartLines(last, state) : [])];
}

/** Then it is not restarted. */
function endedWithQuestion(state: RunState): boolean {
  return openQuestions(state).some(({ iteration, by }) => iteration === state.opened && by === undefined);
}

function doneText({ run }: RunState): string {
  const checks = run?.settings.gates.length ?? 0;
  return checks === 0 ? 'DONE exists' : `DONE exists, ${checks === 1 ? 'the check decides' : `${checks} checks decide`}`;
}

/** Seen while the agent is still running. */
function doneSeenLines(done: DoneFileState, { run }: SuperviseState, { glyphs }: DisplaySettings): readonly Line[] {
  if (done.kind === 'absent') return [prose(span('DONE is gone again', 'busy'))];
  if (done.kind === 'problem') return [prose(span(`${glyphs.warning}${shorten(done.why, REASON_CHARS)}`, 'bad'))];
  const graceMs = run.settings.supervise.doneGraceMs;
  return [prose(span(`DONE exists, the agent may keep running ${graceMs === 0 ? 'until it ends' : `for ${longDuration(graceMs)}`}`, 'good'))];
}

function doneRefusedLines({ renamed }: DoneRefused, { before }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const red = before.task.judged?.failures.length ?? 0;
  const why = red === 0 ? 'it was not proven' : `${plural(red, 'check')} red`;
  const place = renamed === null ? 'it was already gone' : `it was renamed to ${renamed}`;
  return [prose(span(`${glyphs.warning}DONE refused: ${why}; ${place}`, 'bad'))];
}

/** The task is done all the same (seed 002: best effort), but the operator should know. */
function postedLines({ key, problem }: Posted, { glyphs }: DisplaySettings): readonly Line[] {
  if (problem === null) return [];
  const what = key === 'post:completion' ? 'The project bus could not be told of the completion' : 'An answer could not be posted on the bus of the task';
  return [prose(span(`${glyphs.warning}${what}: ${shorten(problem, REASON_CHARS)}`, 'bad'))];
}

function dependencyLines({ before, state }: Change): readonly Line[] {
  const blockers = state.task.blockedBy.map(({ task, why }) => `${task} (${why})`).join(', ');
  if (blockers === before.task.blockedBy.map(({ task, why }) => `${task} (${why})`).join(', ')) return [];
  if (blockers === '') return [prose(span('Dependencies satisfied, starting task', 'good'))];
  return [prose(span(`Task blocked by dependencies: ${shorten(blockers, REASON_CHARS)}`, 'busy'))];
}
