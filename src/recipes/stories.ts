import type { Recipe } from '../core/recipe.ts';
import { stopOnAgentError } from '../core/rules/stop-on-agent-error.ts';
import { stopWhenTheBudgetIsSpent } from '../core/rules/stop-when-budget-is-spent.ts';
import { stopWhenIterationsAreSpent } from '../core/rules/stop-when-iterations-are-spent.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../core/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../core/rules/stop-when-nothing-can-help.ts';
import { stopWhenTimeIsUp } from '../core/rules/stop-when-time-is-up.ts';
import { stopWhenTold } from '../core/rules/stop-when-told.ts';
import { askTheAgentOfTheTurn } from '../core/rules/stories/ask-the-agent-of-the-turn.ts';
import { askThePerson } from '../core/rules/stories/ask-the-person.ts';
import { beginTheTurn } from '../core/rules/stories/begin-the-turn.ts';
import { closeTheTurn } from '../core/rules/stories/close-the-turn.ts';
import { judgeTheTurn } from '../core/rules/stories/judge-the-turn.ts';
import { lookAtTheStories } from '../core/rules/stories/look-at-the-stories.ts';
import { openTheNextTurn } from '../core/rules/stories/open-the-next-turn.ts';
import { proveWhatIsApproved } from '../core/rules/stories/prove-what-is-approved.ts';
import { recordTheTurn } from '../core/rules/stories/record-the-turn.ts';
import { settleTheTurn } from '../core/rules/stories/settle-the-turn.ts';
import { stopWhenAllStoriesAreApproved } from '../core/rules/stories/stop-when-all-stories-are-approved.ts';
import { stopWhenStoriesCannotBeRead } from '../core/rules/stories/stop-when-stories-cannot-be-read.ts';
import { stopWhenStoriesWait } from '../core/rules/stories/stop-when-stories-wait.ts';
import { waitForAnAnswer } from '../core/rules/stories/wait-for-an-answer.ts';
import { waitWhilePaused } from '../core/rules/wait-while-paused.ts';

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
