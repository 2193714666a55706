import type { StopRule } from '../recipe.ts';

/** A claim was made and every proof was green after it: the only good end of a run. */
export const stopWhenAClaimIsAccepted: StopRule = ({ state, settings }) => {
  const accepted = state.closed.findLast((iteration) => iteration.accepted);
  if (!accepted) return null;
  const unproven = settings.gates.length === 0;
  const message = unproven ? 'Completion response matched; no gate was there to prove it' : 'Completion response matched';
  return {
    kind: 'stop',
    outcome: { stop_reason: 'completed', message, claim: accepted.claim, unproven, zero_work: accepted.zeroWork, signal: null, exit_code: 0 },
  };
};
