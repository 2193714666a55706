import { type Recipe, recipeFor, type StartRule, type StepRule, type StopRule } from '../../engine/decide/recipe.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { tellWhenTheBudgetIsNear } from '../shared/rules/errands.ts';
import { askThePerson, stopWhenAPersonIsAsked } from '../shared/rules/questions.ts';
import { findLivingGates, openTheNextIteration, waitWhilePaused } from '../shared/rules/starts.ts';
import { abandonWhenStopping, judgeByTheGates, revertProtectedPaths, waitForLivingGates } from '../shared/rules/steps.ts';
import {
  stopOnAgentError,
  stopOnFatalError,
  stopWhenAGateIsDead,
  stopWhenIterationsAreSpent,
  stopWhenStuck,
  stopWhenTheBudgetIsSpent,
  stopWhenTheDayIsSpent,
  stopWhenTheLimitWaitIsTooLong,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import type { LoopSettings } from './clean-prompt.ts';
import { judgeTheStart, stopWhenAClaimIsAccepted, stopWhenAClaimWaitsForAPerson, stopWhenAllChecksPass, writeTheReceipt } from './rules/starts-and-ends.ts';
import {
  askForTheMessage,
  closeTheIteration,
  judgeChangesOfTheGates,
  proveTheClaim,
  reviewTheWork,
  runScmTasks,
  runTheAgent,
  runTheAgentWithTheProgress,
  verifyInACleanCheckout,
} from './rules/steps.ts';

/** Where `ralph run` and `ralph loop` differ. */
interface Own<S extends RunSettings> {
  readonly accepted: StopRule<S>;
  readonly atTheStart: readonly StartRule<S>[];
  readonly agent: StepRule<S>;
  readonly verified: readonly StepRule<S>[];
}

const listsWith = <S extends RunSettings>({ accepted, atTheStart, agent, verified }: Own<S>): Omit<Recipe<S>, 'name' | 'summary'> => ({
  stops: [
    accepted,
    stopOnFatalError,
    stopWhenAGateIsDead,
    stopWhenTold,
    stopWhenTheLimitWaitIsTooLong,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopWhenTheDayIsSpent,
    stopOnAgentError,
    stopWhenAClaimWaitsForAPerson,
    stopWhenAPersonIsAsked,
    stopWhenStuck,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    revertProtectedPaths,
    askThePerson,
    abandonWhenStopping,
    agent,
    waitForLivingGates,
    judgeByTheGates,
    reviewTheWork,
    judgeChangesOfTheGates,
    ...verified,
    proveTheClaim,
    askForTheMessage,
    runScmTasks,
    closeTheIteration,
  ],
  starts: [
    waitWhilePaused,
    ...atTheStart,
    findLivingGates,
    openTheNextIteration,
  ],
  ends: [
    writeTheReceipt,
  ],
  errands: [
    tellWhenTheBudgetIsNear,
  ],
});

export const run: Recipe = {
  name: 'run',
  summary: 'One fresh agent after the other on the same prompt, until one claims to be done and every check is green.',
  ...listsWith({
    accepted: stopWhenAClaimIsAccepted,
    atTheStart: [],
    agent: runTheAgent,
    verified: [],
  }),
};

export const loop: Recipe = recipeFor<LoopSettings>({
  name: 'loop',
  summary: 'The same with a clean context for each agent, checks that ran before the first one, and a receipt at the end.',
  ...listsWith<LoopSettings>({
    accepted: stopWhenAllChecksPass,
    atTheStart: [
      judgeTheStart,
    ],
    agent: runTheAgentWithTheProgress,
    verified: [
      verifyInACleanCheckout,
    ],
  }),
});
