import * as z from '../../kit/pure/shape.ts';
import { ChangedDecider } from './proof.ts';

/** The claim of a task that is green only with changes of what decides. */
export const HeldClaim = z.strictObject({
  /** How many claims of the task in a row were held. */
  times: z.number().int().positive(),
  /** The merged result that was looked at. */
  tree: z.string(),
  changed: z.array(ChangedDecider),
  /** Who lets it pass, since when (epoch ms). */
  allowed: z.strictObject({ by: z.string(), at: z.number() }).optional(),
});
export type HeldClaim = Readonly<z.infer<typeof HeldClaim>>;
