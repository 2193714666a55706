import type { Stop } from '../../../engine/decide/decision.ts';
import type { EndRule, StartRule, View } from '../../../engine/decide/recipe.ts';

/** A rule for the time between two lives, asked once more at the end of a run that may be done all the same. */
export function onTheWayOut(rule: StartRule): EndRule {
  return (stop, view) => (mayStillBeDone(stop, view) ? rule(0, view) : null);
}

/** Who only drains, gives up on a usage limit, or has an agent that nothing can help any more, still takes a DONE that was written in time. */
function mayStillBeDone({ outcome }: Stop, { state }: View): boolean {
  return state.leaving?.what === 'drain' || outcome.stop_reason === 'rate_limited' || outcome.stop_reason === 'fatal';
}
