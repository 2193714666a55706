import * as z from '../../kit/pure/shape.ts';

/** What a million tokens cost, for agents that do not say what they spent. */
export const Price = z.strictObject({
  input: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative(),
  output: z.number().nonnegative(),
});
export type Price = Readonly<z.infer<typeof Price>>;
