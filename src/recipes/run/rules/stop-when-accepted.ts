import type { Outcome } from '../../../journal/words/outcome.ts';
import type { StopRule, View } from '../../../engine/decide/recipe.ts';

/** A claim was made and every proof was green after it: the only good end of a run. */
export const stopWhenAClaimIsAccepted: StopRule = (view) => {
  const accepted = view.state.closed.findLast((iteration) => iteration.accepted);
  if (!accepted) return null;
  const unproven = view.settings.gates.length === 0;
  const ending = { claim: accepted.claim, unproven, zero_work: accepted.zeroWork, signal: null, exit_code: 0 };
  return { kind: 'stop', outcome: { ...ending, ...wordsFor(view, unproven) } };
};

const NO_GATE = 'Completion response matched; no gate was there to prove it';
const NO_CHECK = 'The agent says that it is done; no check was there to prove it';

/** In the words of the seed the recipe is of. */
function wordsFor({ settings }: View, unproven: boolean): Pick<Outcome, 'stop_reason' | 'message'> {
  const done = settings.recipe === 'loop' ? 'All checks passed' : 'Completion response matched';
  if (unproven) return { stop_reason: 'completed', message: settings.recipe === 'loop' ? NO_CHECK : NO_GATE };
  return { stop_reason: settings.recipe === 'loop' ? 'all_checks_passed' : 'completed', message: done };
}
