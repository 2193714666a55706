import * as z from '../../kit/pure/shape.ts';

/** The price of a million tokens, for agents that do not report their cost. */
export const Price = z.strictObject({
  input: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative(),
  output: z.number().nonnegative(),
});
export type Price = Readonly<z.infer<typeof Price>>;
