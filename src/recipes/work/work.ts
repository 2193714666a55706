import type { Recipe } from '../../engine/decide/recipe.ts';
import { stopWhenTheBudgetIsSpent } from '../shared/rules/stop-when-budget-is-spent.ts';
import { stopWhenIterationsAreSpent } from '../shared/rules/stop-when-iterations-are-spent.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../shared/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../shared/rules/stop-when-nothing-can-help.ts';
import { stopWhenTimeIsUp } from '../shared/rules/stop-when-time-is-up.ts';
import { stopWhenTold } from '../shared/rules/stop-when-told.ts';
import { waitWhilePaused } from '../shared/rules/wait-while-paused.ts';
import { closeTheTask } from './rules/close-the-task.ts';
import { closeTheWorkspace } from './rules/close-the-workspace.ts';
import { endTheAgentOfALostTask } from './rules/end-the-agent-of-a-lost-task.ts';
import { judgeTheTask } from './rules/judge-the-task.ts';
import { letGoWhatWasTaken } from './rules/let-go-what-was-taken.ts';
import { mergeTheTask } from './rules/merge-the-task.ts';
import { openTheTask } from './rules/open-the-task.ts';
import { openTheWorkspace } from './rules/open-the-workspace.ts';
import { releaseTheTask } from './rules/release-the-task.ts';
import { resolveTheConflict } from './rules/resolve-the-conflict.ts';
import { restBetweenTasks } from './rules/rest-between-tasks.ts';
import { runTheAgentOnTheTask } from './rules/run-the-agent-on-the-task.ts';
import { settleTheTask } from './rules/settle-the-task.ts';
import { stopWhenNothingIsLeft } from './rules/stop-when-nothing-is-left.ts';
import { stopWhenTooManyFailed } from './rules/stop-when-too-many-failed.ts';
import { takeTheNextTask } from './rules/take-the-next-task.ts';
import { waitForOthers } from './rules/wait-for-others.ts';

export const work: Recipe = {
  name: 'work',
  summary: 'The tasks of a plan, each held by one lane, done by a fresh agent on a branch of its own, and merged only when the merged result is green.',
  stops: [
    stopWhenNothingCanHelp,
    stopWhenTold,
    stopWhenNothingIsLeft,
    stopWhenTheLimitOutlastsOurPatience,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopWhenTooManyFailed,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    openTheWorkspace,
    runTheAgentOnTheTask,
    settleTheTask,
    judgeTheTask,
    mergeTheTask,
    resolveTheConflict,
    closeTheWorkspace,
    releaseTheTask,
    closeTheTask,
  ],
  starts: [
    openTheTask,
    waitWhilePaused,
    restBetweenTasks,
    takeTheNextTask,
    waitForOthers,
  ],
  ends: [
    letGoWhatWasTaken,
  ],
  errands: [
    endTheAgentOfALostTask,
  ],
};
