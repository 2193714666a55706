import type { Recipe } from '../../engine/decide/recipe.ts';
import { findWhatIsAlive, waitWhilePaused } from '../shared/rules/starts.ts';
import { waitForWhatIsAlive } from '../shared/rules/steps.ts';
import {
  stopOnAgentError,
  stopWhenAGateIsDead,
  stopWhenIterationsAreSpent,
  stopWhenNothingCanHelp,
  stopWhenSealedChecksStayRed,
  stopWhenTheBudgetIsSpent,
  stopWhenTheLimitOutlastsOurPatience,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import { lookAtTheStories, openTheNextTurn, proveWhatIsApproved, waitForAnAnswer } from './rules/starts.ts';
import {
  askTheAgentOfTheTurn,
  askThePerson,
  beginTheTurn,
  checkBeforeTheReview,
  closeTheTurn,
  judgeTheTurn,
  proveTheTurn,
  recordTheTurn,
  settleTheTurn,
} from './rules/steps.ts';
import { stopWhenAllStoriesAreApproved, stopWhenStoriesCannotBeRead, stopWhenStoriesWait } from './rules/stops.ts';

export const stories: Recipe = {
  name: 'stories',
  summary:
    'One story at a time: implemented by one fresh agent, reviewed by another, fixed by a third, until all are approved and every verify command is green.',
  stops: [
    stopWhenAllStoriesAreApproved,
    stopWhenNothingCanHelp,
    stopWhenAGateIsDead,
    stopWhenTold,
    stopWhenStoriesCannotBeRead,
    stopWhenSealedChecksStayRed,
    stopWhenStoriesWait,
    stopWhenTheLimitOutlastsOurPatience,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopOnAgentError,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    beginTheTurn,
    settleTheTurn,
    checkBeforeTheReview,
    askTheAgentOfTheTurn,
    waitForWhatIsAlive,
    judgeTheTurn,
    proveTheTurn,
    recordTheTurn,
    askThePerson,
    closeTheTurn,
  ],
  starts: [
    waitWhilePaused,
    findWhatIsAlive,
    lookAtTheStories,
    proveWhatIsApproved,
    waitForAnAnswer,
    openTheNextTurn,
  ],
  ends: [],
  errands: [],
};
