import { filledText, flag, group, listOf, oneOf } from './setting.ts';

/** What proves a claim. */
export const Proof = group({
  level: oneOf(['off', 'green', 'living', 'sealed'])
    .describe(
      'What a claim needs before it counts: `green` gates in a clean copy of the work too, also with the tests and the configuration that were there at the start; `living` also that planted failures turn each gate red; `sealed` also that the checks in the folder `sealed` are satisfied; `off` green gates where the agent works.',
    )
    .optional(),
  mayChange: listOf(filledText, 'a list of texts')
    .describe('Tests and configuration that agents may change although they decide whether a gate is green, as glob patterns such as `**/*.snap`.')
    .optional(),
  sealed: filledText
    .describe(
      'A folder with sealed checks, outside of the repository; `~` is your home. Agents never see it, and a claim counts only when these checks are satisfied too. Naming it means `level` `sealed`.',
    )
    .optional(),
  canary: flag.describe('Whether failures are planted in copies of the project, to see that gates can go red. Turn it off for gates with effects.').optional(),
});
