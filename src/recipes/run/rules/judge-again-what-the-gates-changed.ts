import { judging } from '../../shared/judging.ts';
import { secondLookIsDue } from '../../shared/outstanding-proof.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';

/**
 * A gate that formats files makes the next ones green on something nobody would commit. So what green gates have changed is looked at once more,
 * by all of them; what they change then again (a report, a time stamp) waits for the next commit.
 */
export const judgeAgainWhatTheGatesChanged: StepRule = (iteration, view) => (secondLookIsDue(iteration, view) ? judging(iteration, view) : null);
