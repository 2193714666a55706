import { type Recipe, recipeFor } from '../../engine/decide/recipe.ts';
import { tellWhenTheBudgetIsNear } from '../shared/rules/errands.ts';
import { findLivingGates, waitWhilePaused } from '../shared/rules/starts.ts';
import { waitForLivingGates } from '../shared/rules/steps.ts';
import {
  stopOnAgentError,
  stopOnFatalError,
  stopWhenAGateIsDead,
  stopWhenSealedChecksStayRed,
  stopWhenStuck,
  stopWhenTheBudgetIsSpent,
  stopWhenTheDayIsSpent,
  stopWhenTheLimitWaitIsTooLong,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import { openTheNextTurn, proveWhatIsApproved, readTheStories, waitForAnAnswer } from './rules/starts.ts';
import {
  askTheAgentOfTheTurn,
  askThePersonAboutTheStory,
  beginTheTurn,
  checkBeforeTheReview,
  closeTheTurn,
  judgeTheTurn,
  proveTheTurn,
  recordTheTurn,
  settleTheTurn,
  writeTheStoryReceipt,
} from './rules/steps.ts';
import { stopWhenAllStoriesAreApproved, stopWhenIterationsAreSpent, stopWhenStoriesCannotBeRead, stopWhenStoriesWait } from './rules/stops.ts';
import type { StoriesSettings } from './story-turn.ts';

export const stories: Recipe = recipeFor<StoriesSettings>({
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
    stopWhenTheDayIsSpent,
    stopOnAgentError,
    stopWhenStuck,
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
    writeTheStoryReceipt,
    askThePersonAboutTheStory,
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
  errands: [
    tellWhenTheBudgetIsNear,
  ],
});
