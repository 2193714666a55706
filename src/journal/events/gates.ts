import * as z from '../../kit/pure/shape.ts';
import { GateSpec } from '../../settings/schema/run-settings.ts';
import { Ending } from './attempt.ts';

/** What one gate said, as the loop itself saw it. */
export const GateResult = z.strictObject({
  gate: GateSpec,
  green: z.boolean(),
  /** Red at first, green when it was run again on the same tree: not the agent's doing. */
  flaky: z.boolean().default(false),
  ending: Ending,
  /** Relative to the workspace, for people and agents to read. */
  log: z.string(),
  /** The kept beginning or end of the output, and how many bytes there were. */
  output: z.string(),
  output_bytes: z.number().int().nonnegative(),
  /** Of all of it; empty where nobody will ask. */
  output_sha256: z.string().default(''),
  duration_ms: z.number().int().nonnegative(),
});
export type GateResult = Readonly<z.infer<typeof GateResult>>;

export const GatesJudged = z.strictObject({
  type: z.literal('gates.judged'),
  key: z.string(),
  /** 0 and 0: before the first iteration. */
  iteration: z.number().int().nonnegative(),
  attempt: z.number().int().nonnegative(),
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  results: z.array(GateResult),
  /** The git tree the gates were given; null when it was not asked for, or cannot be named. */
  tree: z.string().nullable(),
  /** The tree they left: what a gate leaves behind is not the agent's work. */
  tree_after: z.string().nullable(),
  /** The commit the workspace was on, and its tree; null before the first one, or when it was not asked for. */
  head: z.string().nullable().default(null),
  head_tree: z.string().nullable().default(null),
  /** Protected paths that the gates themselves had touched, and that were put back. */
  tidied: z.array(z.string()).default([]),
  /** Why git cannot name what they were given. */
  problem: z.string().nullable().default(null),
});
export type GatesJudged = Readonly<z.infer<typeof GatesJudged>>;

/** Protected paths were looked at after an attempt, and put back where it had touched them. */
export const PathsRestored = z.strictObject({
  type: z.literal('paths.restored'),
  key: z.string(),
  iteration: z.number().int().positive(),
  attempt: z.number().int().positive(),
  /** Empty: nothing was touched. */
  paths: z.array(z.string()),
  /** The ref that keeps what the agent had made of them; null when nothing was touched. */
  kept: z.string().nullable(),
});
export type PathsRestored = Readonly<z.infer<typeof PathsRestored>>;

export const ReceiptWritten = z.strictObject({
  type: z.literal('receipt.written'),
  key: z.string(),
  /** The file in the run's folder, and the commit whose note holds the same; null without one. */
  file: z.string(),
  commit: z.string().nullable(),
});
export type ReceiptWritten = Readonly<z.infer<typeof ReceiptWritten>>;
