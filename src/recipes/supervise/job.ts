import { type Recipe, recipeFor } from '../../engine/decide/recipe.ts';
import { abandonWhenStopping, judgeByTheGates, revertProtectedPaths } from '../shared/rules/steps.ts';
import { stopOnFatalError, stopWhenTheLimitWaitIsTooLong, stopWhenTold } from '../shared/rules/stops.ts';
import { awaitTheChildren, awaitTheChildrenOfAJob, endTheChildren, startAChildAskedFor } from './rules/ends-and-errands.ts';
import { closeTheJob, lookAfterAJob, openTheOnlyStart, stopWhenTheJobIsOver } from './rules/job.ts';
import { runTheRootAgent } from './rules/steps.ts';
import type { SuperviseSettings } from './supervised-task.ts';

export const job: Recipe = recipeFor<SuperviseSettings>({
  name: 'job',
  summary: 'One start of one agent, and the children it asks for.',
  stops: [
    stopOnFatalError,
    stopWhenTheJobIsOver,
    stopWhenTold,
    stopWhenTheLimitWaitIsTooLong,
  ],
  steps: [
    revertProtectedPaths,
    abandonWhenStopping,
    runTheRootAgent,
    lookAfterAJob,
    awaitTheChildrenOfAJob,
    judgeByTheGates,
    closeTheJob,
  ],
  starts: [
    openTheOnlyStart,
  ],
  ends: [
    awaitTheChildren,
    endTheChildren,
  ],
  errands: [
    startAChildAskedFor,
  ],
});
