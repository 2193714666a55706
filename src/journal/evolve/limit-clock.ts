import type { AttemptEnded } from '../events/attempt.ts';
import { limitWaitMs } from '../../limits/backoff.ts';
import type { RunState } from '../state/state.ts';

/** A usage limit: the agent may be asked again at the time the provider gave, or after a growing pause. */
export function afterLimit(state: RunState, body: AttemptEnded, atMs: number): RunState {
  const strikes = state.limit.strikes + 1;
  const untilMs = atMs + limitWaitMs(strikes, body.limit_resets_at === null ? null : body.limit_resets_at - atMs);
  return { ...state, limit: { untilMs, strikes, window: body.limit_window, waitedMs: state.limit.waitedMs + (untilMs - atMs) } };
}

export function clearStrikes(state: RunState): RunState {
  return state.limit.strikes === 0 ? state : { ...state, limit: { ...state.limit, strikes: 0, untilMs: 0, window: null } };
}
