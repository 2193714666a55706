import type { OpenIteration } from '../../journal/state/state.ts';

/** Whether the agent of this iteration is still to be run: not yet begun, or turned away by a usage limit, which costs no restart. */
export function wantsAnotherLife({ last }: OpenIteration): boolean {
  return last === null || last.verdict === 'limited';
}
