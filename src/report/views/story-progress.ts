import type { OpenIteration, RunState } from '../../journal/state/state.ts';
import { storiesSpecOf } from '../../settings/schema/recipe-facts.ts';

/**
 * Why a story is where it was although its agent ended well: what Ralph looked for, in which file, and that no check ran. Null: something else stood in its way.
 */
export function noProgressText({ turn, last, hasAsked }: OpenIteration, { run }: RunState): string | null {
  const spec = storiesSpecOf(run?.settings);
  if (run === null || spec === null || turn === null || turn.mode === 'review' || last?.verdict !== 'ok' || hasAsked) return null;
  if (turn.moves.length + turn.refused.length + turn.reverted.length > 0) return null;
  const wanted = spec.skipReview ? 'passes to true' : 'reviewStatus to "needs_review"';
  const unchecked = run.settings.gates.length === 0 ? '' : ', so no check ran';
  return `the agent reported no progress: it did not set ${wanted} in ${spec.plan}${unchecked}`;
}
