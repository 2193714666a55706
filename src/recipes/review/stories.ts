import type { Recipe } from '../../engine/decide/recipe.ts';
import { findLivingGates, waitWhilePaused } from '../shared/rules/starts.ts';
import { waitForLivingGates } from '../shared/rules/steps.ts';
import {
  stopOnAgentError,
  stopOnFatalError,
  stopWhenAGateIsDead,
  stopWhenIterationsAreSpent,
  stopWhenSealedChecksStayRed,
  stopWhenTheBudgetIsSpent,
  stopWhenTheLimitWaitIsTooLong,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import { openTheNextTurn, proveWhatIsApproved, readTheStories, waitForAnAnswer } from './rules/starts.ts';
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
    stopOnFatalError,
    stopWhenAGateIsDead,
    stopWhenTold,
    stopWhenStoriesCannotBeRead,
    stopWhenSealedChecksStayRed,
    stopWhenStoriesWait,
    stopWhenTheLimitWaitIsTooLong,
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
    waitForLivingGates,
    judgeTheTurn,
    proveTheTurn,
    recordTheTurn,
    askThePerson,
    closeTheTurn,
  ],
  starts: [
    waitWhilePaused,
    findLivingGates,
    readTheStories,
    proveWhatIsApproved,
    waitForAnAnswer,
    openTheNextTurn,
  ],
  ends: [],
  errands: [],
};
