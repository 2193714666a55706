import * as z from 'zod';
import { GateSpec } from './run-settings.ts';

const Iteration = z.number().int().positive();

/** What a red gate says to the next prompt; already cut to size, so that nothing later reads a file an agent could edit. */
export const Failure = z.strictObject({
  action: z.enum(['APPEND', 'PREPEND', 'REPLACE']),
  message: z.string(),
});
export type Failure = Readonly<z.infer<typeof Failure>>;

export const RunAgent = z.strictObject({
  kind: z.literal('run-agent'),
  key: z.string(),
  iteration: Iteration,
  attempt: z.number().int().positive(),
  role: z.enum(['work', 'review', 'message', 'resolve']),
  failures: z.array(Failure),
  /** The number the last iteration may have, for the prompt's count; 0 means no limit. */
  maximum: z.number().int().nonnegative(),
});
export type RunAgent = Readonly<z.infer<typeof RunAgent>>;

export const RunGates = z.strictObject({
  kind: z.literal('run-gates'),
  key: z.string(),
  iteration: Iteration,
  attempt: z.number().int().positive(),
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  gates: z.array(GateSpec),
  /** Whether the fact must name the trees before and after: for a claim, and while a change is asked for and was not seen. */
  name_tree: z.boolean(),
});
export type RunGates = Readonly<z.infer<typeof RunGates>>;

/** Something to do in the world. Journaled whole as an intent before it is done; asking twice by the same key is asking once. */
export const Effect = z.discriminatedUnion('kind', [RunAgent, RunGates]);
export type Effect = z.infer<typeof Effect>;

export const attemptId = (effect: { iteration: number; attempt: number }): string => `${effect.iteration}.${effect.attempt}`;
