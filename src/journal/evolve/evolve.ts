import { assertNever } from '../../kit/pure/assert-never.ts';
import { attemptId } from '../effects/effect.ts';
import type { EventBody, JournalEvent } from '../events/journal-event.ts';
import { isStoryEvent } from '../events/story-event.ts';
import { isTaskEvent } from '../events/task-event.ts';
import { isWorkEvent } from '../events/work-event.ts';
import { afterAttempt, whenBegun } from './attempts.ts';
import { afterClosing } from './closing.ts';
import { afterGates } from './gates.ts';
import { begunAs, landed } from './landed.ts';
import { afterLimit, clearStrikes } from './limit-clock.ts';
import { afterOpening } from './opening.ts';
import { afterPutBack } from './put-back.ts';
import { afterResume, afterStart } from './run.ts';
import { afterCommand, afterCommit, afterRefusal } from './scm.ts';
import { addSpending } from './spending.ts';
import { evolvedStories } from './stories.ts';
import { afterTurnClosed } from './story-turns.ts';
import { afterLife, afterLifeClosed } from './task.ts';
import { evolvedTask } from './task-events.ts';
import { afterWallRefused } from './wall.ts';
import { evolvedWork } from './work.ts';
import { afterTaskClosed, afterWorkAttempt } from './work-lanes.ts';
import type { OpenIteration, RunState } from '../state/state.ts';

type Leave = NonNullable<RunState['leaving']>['what'];

/** The only way state changes, live and on replay: no clock, no dice, no world. */
export function evolve(state: RunState, event: JournalEvent): RunState {
  const next = evolved(state, event);
  return { ...next, time: { ...next.time, lastMs: event.at } };
}

function evolved(state: RunState, event: JournalEvent): RunState {
  const { body, at } = event;
  if (isTaskEvent(body)) return evolvedTask(state, body, at);
  if (isWorkEvent(body)) return evolvedWork(state, body, at);
  if (isStoryEvent(body)) return evolvedStories(state, body, at);
  switch (body.type) {
    case 'run.started':
      return afterStart(state, body, at);
    case 'run.resumed':
      return afterResume(state, body, at);
    case 'run.stopped':
      return { ...state, stopped: body.outcome };
    case 'effect.begun':
      return whenBegun({ ...state, inFlight: [...state.inFlight, body.effect] }, body.effect);
    case 'effect.lost':
      return afterLoss(state, body.key);
    case 'iteration.opened':
      return afterOpening(state, body, at);
    case 'iteration.closed':
      return afterClosed(
        afterClosing(state, body, at),
        state.open.find(({ number }) => number === body.iteration),
      );
    case 'attempt.spawned':
      return {
        ...state,
        spawned: [...state.spawned, { attempt: body.attempt, host: body.host, bootId: body.boot_id, pid: body.pid, startTime: body.start_time }],
      };
    case 'attempt.ended':
      return afterEndedAttempt(landed(state, body.key), body, at);
    case 'gates.judged':
      return afterGates(landed(state, body.key), body);
    case 'commit.made':
      return afterCommit(landed(state, body.key), body, begunAs(state, body.key));
    case 'commit.refused':
      return afterRefusal(landed(state, body.key), body);
    case 'command.ended':
      return afterCommand(landed(state, body.key), body, begunAs(state, body.key));
    case 'paths.restored':
      return afterPutBack(landed(state, body.key), body);
    case 'receipt.written':
      return { ...landed(state, body.key), receipt: { file: body.file, commit: body.commit } };
    case 'limit.seen':
    case 'settings.seen':
    case 'spec.seen':
      return state;
    case 'wall.refused':
      return { ...state, refused: afterWallRefused(state.refused, body) };
    case 'operator.asked':
      return afterAsking(state, body);
    default:
      return assertNever(body);
  }
}

function afterClosed(state: RunState, iteration: OpenIteration | undefined): RunState {
  const closed = state.closed.at(-1);
  return afterTurnClosed(afterTaskClosed(afterLifeClosed(state, closed), iteration, closed), iteration, closed);
}

/** What a lost effect had running was ended before it was called lost. */
function afterLoss(state: RunState, key: string): RunState {
  const lost = state.inFlight.find((effect) => effect.key === key);
  return lost?.kind === 'run-agent' ? forgetAgent(landed(state, key), lost) : landed(state, key);
}

function forgetAgent(state: RunState, which: { readonly iteration: number; readonly attempt: number }): RunState {
  return { ...state, spawned: state.spawned.filter((agent) => agent.attempt !== attemptId(which)) };
}

/** Who is told to leave does not pause. */
function afterAsking(state: RunState, { what, by }: Extract<EventBody, { type: 'operator.asked' }>): RunState {
  if (what === 'pause' || what === 'go-on') return { ...state, paused: what === 'pause' };
  return { ...state, leaving: state.leaving ? { ...state.leaving, what: stronger(state.leaving.what, what) } : { what, by } };
}

/** Who asked to leave at once cannot be talked into waiting by a later message. */
function stronger(before: Leave, now: Leave): Leave {
  return before === 'abort' ? before : now;
}

function afterEndedAttempt(state: RunState, body: Extract<EventBody, { type: 'attempt.ended' }>, atMs: number): RunState {
  const counted = afterWorkAttempt(afterLife(afterAttempt(addSpending(forgetAgent(state, body), body), body), body), body);
  if (body.verdict === 'limited') return afterLimit(counted, body, atMs);
  if (body.verdict === 'fatal' && isNeeded(state, body)) return { ...clearStrikes(counted), fatal: { why: body.why, exitCode: body.exit_code_if_fatal ?? 4 } };
  return clearStrikes(counted);
}

/** Without a reviewer stories get nowhere; every other review is one that can be left out. */
function isNeeded({ open }: RunState, { role, iteration }: Extract<EventBody, { type: 'attempt.ended' }>): boolean {
  return role === 'work' || open.some(({ number, turn }) => number === iteration && turn !== null);
}
