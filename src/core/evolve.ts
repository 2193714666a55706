import { assertNever } from '../kit/pure/assert-never.ts';
import { attemptId } from '../model/effect.ts';
import type { EventBody, JournalEvent } from '../model/events/journal-event.ts';
import { isTaskEvent } from '../model/events/task-event.ts';
import { afterAttempt, whenBegun } from './evolve/attempts.ts';
import { afterClosing } from './evolve/closing.ts';
import { afterGates } from './evolve/gates.ts';
import { begunAs, landed } from './evolve/landed.ts';
import { afterLimit, clearStrikes } from './evolve/limit-clock.ts';
import { afterOpening } from './evolve/opening.ts';
import { afterPutBack } from './evolve/put-back.ts';
import { afterCommand, afterCommit, afterRefusal } from './evolve/scm.ts';
import { addSpending } from './evolve/spending.ts';
import { afterLife, afterLifeClosed, afterTaskResumed } from './evolve/task.ts';
import { evolvedTask } from './evolve/task-events.ts';
import type { RunState } from './state.ts';

type Leave = NonNullable<RunState['leaving']>['what'];

/** The only way state changes, live and on replay: no clock, no dice, no world. */
export function evolve(state: RunState, event: JournalEvent): RunState {
  const next = evolved(state, event);
  return { ...next, time: { ...next.time, lastMs: event.at } };
}

function evolved(state: RunState, event: JournalEvent): RunState {
  const { body, at } = event;
  if (isTaskEvent(body)) return evolvedTask(state, body, at);
  switch (body.type) {
    case 'run.started':
      return {
        ...state,
        run: { id: body.run, ralph: body.ralph, startedAtMs: at, settings: body.settings, sitting: 1 },
        work: { baseline: body.found?.tree ?? null, seen: false },
        startTree: body.found?.tree ?? null,
        time: { beforeMs: 0, sittingFromMs: at, lastMs: at },
      };
    case 'run.resumed':
      return {
        ...afterTaskResumed(state),
        run: state.run && { ...state.run, sitting: state.run.sitting + 1 },
        leaving: null,
        fatal: null,
        // A witness that was refused is asked again, and so is the rest of a start from which nothing was begun.
        baseline: state.opened === 0 ? null : state.baseline,
        stopped: null,
        limit: { ...state.limit, waitedMs: 0 },
        time: {
          ...state.time,
          beforeMs: state.time.beforeMs + (Math.max(state.time.lastMs, body.worked_until ?? 0) - state.time.sittingFromMs),
          sittingFromMs: at,
        },
      };
    case 'run.stopped':
      return { ...state, stopped: body.outcome };
    case 'effect.begun':
      return whenBegun({ ...state, inFlight: [...state.inFlight, body.effect] }, body.effect);
    case 'effect.lost':
      return afterLoss(state, body.key);
    case 'iteration.opened':
      return afterOpening(state, body, at);
    case 'iteration.closed':
      return closedLife(afterClosing(state, body, at));
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
    case 'operator.asked':
      return { ...state, leaving: state.leaving ? { ...state.leaving, what: stronger(state.leaving.what, body.what) } : { what: body.what, by: body.by } };
    default:
      return assertNever(body);
  }
}

function closedLife(state: RunState): RunState {
  return afterLifeClosed(state, state.closed.at(-1));
}

/** What a lost effect had running was ended before it was called lost. */
function afterLoss(state: RunState, key: string): RunState {
  const lost = state.inFlight.find((effect) => effect.key === key);
  return lost?.kind === 'run-agent' ? forgetAgent(landed(state, key), lost) : landed(state, key);
}

function forgetAgent(state: RunState, which: { readonly iteration: number; readonly attempt: number }): RunState {
  return { ...state, spawned: state.spawned.filter((agent) => agent.attempt !== attemptId(which)) };
}

/** Who asked to leave at once cannot be talked into waiting by a later message. */
function stronger(before: Leave, now: Leave): Leave {
  return before === 'abort' ? before : now;
}

function afterEndedAttempt(state: RunState, body: Extract<EventBody, { type: 'attempt.ended' }>, atMs: number): RunState {
  const counted = afterLife(afterAttempt(addSpending(forgetAgent(state, body), body), body), body);
  if (body.verdict === 'limited') return afterLimit(counted, body, atMs);
  if (body.verdict === 'fatal' && body.role === 'work') return { ...clearStrikes(counted), fatal: { why: body.why, exitCode: body.exit_code_if_fatal ?? 4 } };
  return clearStrikes(counted);
}
