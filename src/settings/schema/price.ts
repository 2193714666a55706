import * as z from 'zod';

/** What a million tokens cost, for agents that do not say what they spent. */
export const Price = z.strictObject({
  input: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative(),
  output: z.number().nonnegative(),
});
export type Price = Readonly<z.infer<typeof Price>>;
