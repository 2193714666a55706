import { filledText, flag, group, listOf, oneOf } from './setting.ts';

/** What proves a claim. */
export const Proof = group({
  level: oneOf(['off', 'green', 'living', 'sealed'])
    .describe(
      'The proof a claim needs. `off`: green gates where the agent works. `green`: also green gates in a clean copy of the work, and with the tests and the configuration of the start. `living`: also each gate turns red when Ralph plants failures. `sealed`: also the checks in the folder `sealed` are green.',
    )
    .optional(),
  mayChange: listOf(filledText, 'a list of texts')
    .describe('Tests and configuration that agents may change although gates depend on them, as glob patterns such as `**/*.snap`.')
    .optional(),
  sealed: filledText
    .describe(
      'A folder with sealed checks, outside of the repository; `~` is your home. Agents never see it. A claim counts only if these checks are green too. Setting it implies `level` `sealed`.',
    )
    .optional(),
  canary: flag
    .describe('Whether Ralph plants failures in copies of the project, to see that gates can turn red. Turn it off for gates with side effects.')
    .optional(),
});
