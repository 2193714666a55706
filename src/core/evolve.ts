import { assertNever } from '../kit/pure/assert-never.ts';
import { attemptId } from '../model/effect.ts';
import type { EventBody, JournalEvent } from '../model/events/journal-event.ts';
import { afterClosing } from './evolve/closing.ts';
import { afterAttempt, afterGates, whenBegun } from './evolve/iterations.ts';
import { afterLimit, clearStrikes } from './evolve/limit-clock.ts';
import { addSpending } from './evolve/spending.ts';
import type { RunState } from './state.ts';

/** The only way state changes, live and on replay: no clock, no dice, no world. */
export function evolve(state: RunState, event: JournalEvent): RunState {
  const { body, at } = event;
  switch (body.type) {
    case 'run.started':
      return {
        ...state,
        run: { id: body.run, startedAtMs: at, settings: body.settings, sitting: 1 },
        work: { baseline: body.found?.tree ?? null, seen: false },
      };
    case 'run.resumed':
      return {
        ...state,
        run: state.run && { ...state.run, sitting: state.run.sitting + 1 },
        leaving: null,
        fatal: null,
        stopped: null,
        limit: { ...state.limit, waitedMs: 0 },
      };
    case 'run.stopped':
      return { ...state, stopped: body.outcome };
    case 'effect.begun':
      return whenBegun({ ...state, inFlight: [...state.inFlight, body.effect] }, body.effect);
    case 'effect.lost':
      return landed(state, body.key);
    case 'iteration.opened':
      return {
        ...state,
        opened: Math.max(state.opened, body.iteration),
        open: [...state.open, { number: body.iteration, lane: body.lane, failures: state.failures, attempts: 0, repeated: 0, last: null, judged: null }],
      };
    case 'iteration.closed':
      return afterClosing(state, body, at);
    case 'attempt.spawned':
      return {
        ...state,
        spawned: [...state.spawned, { attempt: body.attempt, host: body.host, bootId: body.boot_id, pid: body.pid, startTime: body.start_time }],
      };
    case 'attempt.ended':
      return afterEndedAttempt(landed(state, body.key), body, at);
    case 'gates.judged':
      return afterGates(landed(state, body.key), body);
    case 'limit.seen':
      return state;
    case 'operator.asked':
      return { ...state, leaving: { what: body.what, by: state.leaving?.by ?? body.by } };
    default:
      return assertNever(body);
  }
}

function landed(state: RunState, key: string): RunState {
  return { ...state, inFlight: state.inFlight.filter((effect) => effect.key !== key) };
}

function afterEndedAttempt(state: RunState, body: Extract<EventBody, { type: 'attempt.ended' }>, atMs: number): RunState {
  const gone = { ...state, spawned: state.spawned.filter((agent) => agent.attempt !== attemptId(body)) };
  const counted = afterAttempt(addSpending(gone, body), body);
  if (body.verdict === 'limited') return afterLimit(counted, body, atMs);
  if (body.verdict === 'fatal') return { ...clearStrikes(counted), fatal: { why: body.why, exitCode: body.exit_code_if_fatal ?? 4 } };
  return clearStrikes(counted);
}
