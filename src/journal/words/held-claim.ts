import * as z from '../../kit/pure/shape.ts';
import { ChangedDecider } from './proof.ts';

/** The claim of a task that is green only with changed deciders. */
export const HeldClaim = z.strictObject({
  /** How many claims of the task in a row were held. */
  times: z.number().int().positive(),
  /** The tree of the merged result that was judged. */
  tree: z.string(),
  changed: z.array(ChangedDecider),
  /** Who allowed it, and when (epoch ms). */
  allowed: z.strictObject({ by: z.string(), at: z.number() }).optional(),
});
export type HeldClaim = Readonly<z.infer<typeof HeldClaim>>;
