import type { Recipe } from '../../engine/decide/recipe.ts';
import { waitWhilePaused } from '../shared/rules/starts.ts';
import {
  stopOnAgentError,
  stopWhenIterationsAreSpent,
  stopWhenNothingCanHelp,
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
  recordTheTurn,
  settleTheTurn,
} from './rules/steps.ts';
import { stopWhenAllStoriesAreApproved, stopWhenStoriesCannotBeRead, stopWhenStoriesWait } from './rules/stops.ts';

export const stories: Recipe = {
  name: 'stories',
  summary:
    'One story at a time: implemented by one fresh agent, reviewed by another, mended by a third, until all are approved and every verify command is green.',
  stops: [
    stopWhenAllStoriesAreApproved,
    stopWhenNothingCanHelp,
    stopWhenTold,
    stopWhenStoriesCannotBeRead,
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
    judgeTheTurn,
    recordTheTurn,
    askThePerson,
    closeTheTurn,
  ],
  starts: [
    waitWhilePaused,
    lookAtTheStories,
    proveWhatIsApproved,
    waitForAnAnswer,
    openTheNextTurn,
  ],
  ends: [],
  errands: [],
};
