import * as z from 'zod';
import { GateSpec } from '../run-settings.ts';
import { Ending } from './attempt.ts';

/** What one gate said, as the loop itself saw it. */
export const GateResult = z.strictObject({
  gate: GateSpec,
  green: z.boolean(),
  ending: Ending,
  /** Relative to the workspace, for people and agents to read. */
  log: z.string(),
  /** The kept beginning of the output, and how many bytes there were. */
  output: z.string(),
  output_bytes: z.number().int().nonnegative(),
  duration_ms: z.number().int().nonnegative(),
});
export type GateResult = Readonly<z.infer<typeof GateResult>>;

export const GatesJudged = z.strictObject({
  type: z.literal('gates.judged'),
  key: z.string(),
  iteration: z.number().int().positive(),
  attempt: z.number().int().positive(),
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  results: z.array(GateResult),
  /** The git tree the gates were given; null when it was not asked for, or cannot be named. */
  tree: z.string().nullable(),
  /** The tree they left: what a gate leaves behind is not the agent's work. */
  tree_after: z.string().nullable(),
  /** The commit the workspace was on, and its tree; null before the first one, or when it was not asked for. */
  head: z.string().nullable().default(null),
  head_tree: z.string().nullable().default(null),
  /** Why git cannot name what they were given. */
  problem: z.string().nullable().default(null),
});
export type GatesJudged = Readonly<z.infer<typeof GatesJudged>>;
