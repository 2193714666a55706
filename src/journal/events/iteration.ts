import * as z from 'zod';
import { Claim } from '../words/claim.ts';

export const IterationOpened = z.strictObject({
  type: z.literal('iteration.opened'),
  iteration: z.number().int().positive(),
  lane: z.number().int().positive(),
});

/** green: the agent ended well and every gate is green. red: a gate or a demand is not met. failed: the agent came to nothing. abandoned: we left before its end. */
export const IterationResult = z.enum(['green', 'red', 'failed', 'abandoned']);
export type IterationResult = z.infer<typeof IterationResult>;

export const IterationClosed = z.strictObject({
  type: z.literal('iteration.closed'),
  iteration: z.number().int().positive(),
  result: IterationResult,
  /** The claim made in this iteration, and whether it was accepted: claimed, proven, and changed where that is asked for. */
  claim: Claim.nullable(),
  accepted: z.boolean(),
  zero_work: z.boolean(),
});
