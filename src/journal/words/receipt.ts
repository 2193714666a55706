import * as z from '../../kit/pure/shape.ts';

/** What proves that the work is done, written by the loop alone: as a git note of the commit, and in the run's folder. */
export const Receipt = z.strictObject({
  version: z.literal(1),
  run: z.string(),
  ralph: z.string(),
  task: z.string(),
  /** Null when nothing was committed; then the tree says what was proven. */
  commit: z.string().nullable(),
  tree: z.string().nullable(),
  /** Where the checks of the last proof ran: in the workspace, or in a fresh checkout. */
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  checks: z.array(
    z.strictObject({
      command: z.string(),
      exit_code: z.number().int().nullable(),
      duration_ms: z.number().int().nonnegative(),
      /** SHA-256 of what it printed. */
      output_sha256: z.string(),
      flaky: z.boolean(),
      /** It was red before the first iteration, as a witness has to be. */
      was_red: z.boolean().nullable(),
    }),
  ),
  agent: z.string(),
  model: z.string().nullable(),
  cost_usd: z.number().nullable(),
  iterations: z.number().int(),
  written_at: z.number(),
});
export type Receipt = Readonly<z.infer<typeof Receipt>>;
