import type { PathsRestored } from '../events/proof.ts';
import type { RunState } from '../state/state.ts';
import { withIteration } from './with-iteration.ts';

/** What was put back is held against the iteration, however good the rest of it is. */
export function afterPutBack(state: RunState, { iteration, attempt, paths }: PathsRestored): RunState {
  return withIteration(state, iteration, (open) => ({ ...open, guarded: { ...open.latest, attempt }, restored: [...new Set([...open.restored, ...paths])] }));
}
