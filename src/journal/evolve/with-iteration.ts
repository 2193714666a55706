import type { OpenIteration, RunState } from '../state/state.ts';

/** Changes one open iteration; a number that is not open changes nothing. */
export function withIteration(state: RunState, number: number, change: (iteration: OpenIteration) => OpenIteration): RunState {
  return { ...state, open: state.open.map((iteration) => (iteration.number === number ? change(iteration) : iteration)) };
}
