import type { EventBody } from '../events/journal-event.ts';
import type { RunState } from '../state/state.ts';
import { afterStoriesResumed } from './story-turns.ts';
import { afterTaskResumed } from './task.ts';
import { afterWorkResumed } from './work-lanes.ts';

type Said<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

export function afterStart(state: RunState, body: Said<'run.started'>, atMs: number): RunState {
  return {
    ...state,
    run: { id: body.run, ralph: body.ralph, startedAtMs: atMs, settings: body.settings, sitting: 1 },
    work: { baseline: body.found?.tree ?? null, seen: false },
    startTree: body.found?.tree ?? null,
    time: { beforeMs: 0, sittingFromMs: atMs, lastMs: atMs },
  };
}

/** A new sitting: what somebody wanted of the one before is over. */
export function afterResume(state: RunState, body: Said<'run.resumed'>, atMs: number): RunState {
  return {
    ...afterStoriesResumed(afterWorkResumed(afterTaskResumed(state))),
    run: state.run && { ...state.run, sitting: state.run.sitting + 1 },
    leaving: null,
    fatal: null,
    // A witness that was refused is asked again, and so is the rest of a start from which nothing was begun. Stories are proven anew.
    baseline: state.opened === 0 || state.run?.settings.stories ? null : state.baseline,
    stopped: null,
    limit: { ...state.limit, waitedMs: 0 },
    time: {
      ...state.time,
      beforeMs: state.time.beforeMs + (Math.max(state.time.lastMs, body.worked_until ?? 0) - state.time.sittingFromMs),
      sittingFromMs: atMs,
    },
  };
}
