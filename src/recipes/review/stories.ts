import type { Recipe } from '../../engine/decide/recipe.ts';
import { stopOnAgentError } from '../shared/rules/stop-on-agent-error.ts';
import { stopWhenTheBudgetIsSpent } from '../shared/rules/stop-when-budget-is-spent.ts';
import { stopWhenIterationsAreSpent } from '../shared/rules/stop-when-iterations-are-spent.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../shared/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../shared/rules/stop-when-nothing-can-help.ts';
import { stopWhenTimeIsUp } from '../shared/rules/stop-when-time-is-up.ts';
import { stopWhenTold } from '../shared/rules/stop-when-told.ts';
import { askTheAgentOfTheTurn } from './rules/ask-the-agent-of-the-turn.ts';
import { askThePerson } from './rules/ask-the-person.ts';
import { beginTheTurn } from './rules/begin-the-turn.ts';
import { closeTheTurn } from './rules/close-the-turn.ts';
import { judgeTheTurn } from './rules/judge-the-turn.ts';
import { lookAtTheStories } from './rules/look-at-the-stories.ts';
import { openTheNextTurn } from './rules/open-the-next-turn.ts';
import { proveWhatIsApproved } from './rules/prove-what-is-approved.ts';
import { recordTheTurn } from './rules/record-the-turn.ts';
import { settleTheTurn } from './rules/settle-the-turn.ts';
import { stopWhenAllStoriesAreApproved } from './rules/stop-when-all-stories-are-approved.ts';
import { stopWhenStoriesCannotBeRead } from './rules/stop-when-stories-cannot-be-read.ts';
import { stopWhenStoriesWait } from './rules/stop-when-stories-wait.ts';
import { waitForAnAnswer } from './rules/wait-for-an-answer.ts';
import { waitWhilePaused } from '../shared/rules/wait-while-paused.ts';

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
