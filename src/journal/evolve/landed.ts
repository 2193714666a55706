import type { Effect } from '../effects/effect.ts';
import type { RunState } from '../state/state.ts';

/** What a fact is the answer to; undefined when nobody heard it begin. */
export function begunAs(state: RunState, key: string): Effect | undefined {
  return state.inFlight.find((effect) => effect.key === key);
}

/** An effect whose fact is here is no longer in flight. */
export function landed(state: RunState, key: string): RunState {
  return { ...state, inFlight: state.inFlight.filter((effect) => effect.key !== key) };
}
