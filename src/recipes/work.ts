import type { Recipe } from '../core/recipe.ts';
import { stopWhenTheBudgetIsSpent } from '../core/rules/stop-when-budget-is-spent.ts';
import { stopWhenIterationsAreSpent } from '../core/rules/stop-when-iterations-are-spent.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../core/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../core/rules/stop-when-nothing-can-help.ts';
import { stopWhenTimeIsUp } from '../core/rules/stop-when-time-is-up.ts';
import { stopWhenTold } from '../core/rules/stop-when-told.ts';
import { waitWhilePaused } from '../core/rules/wait-while-paused.ts';
import { closeTheTask } from '../core/rules/work/close-the-task.ts';
import { closeTheWorkspace } from '../core/rules/work/close-the-workspace.ts';
import { endTheAgentOfALostTask } from '../core/rules/work/end-the-agent-of-a-lost-task.ts';
import { judgeTheTask } from '../core/rules/work/judge-the-task.ts';
import { letGoWhatWasTaken } from '../core/rules/work/let-go-what-was-taken.ts';
import { mergeTheTask } from '../core/rules/work/merge-the-task.ts';
import { openTheTask } from '../core/rules/work/open-the-task.ts';
import { openTheWorkspace } from '../core/rules/work/open-the-workspace.ts';
import { releaseTheTask } from '../core/rules/work/release-the-task.ts';
import { resolveTheConflict } from '../core/rules/work/resolve-the-conflict.ts';
import { restBetweenTasks } from '../core/rules/work/rest-between-tasks.ts';
import { runTheAgentOnTheTask } from '../core/rules/work/run-the-agent-on-the-task.ts';
import { settleTheTask } from '../core/rules/work/settle-the-task.ts';
import { stopWhenNothingIsLeft } from '../core/rules/work/stop-when-nothing-is-left.ts';
import { stopWhenTooManyFailed } from '../core/rules/work/stop-when-too-many-failed.ts';
import { takeTheNextTask } from '../core/rules/work/take-the-next-task.ts';
import { waitForOthers } from '../core/rules/work/wait-for-others.ts';

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
