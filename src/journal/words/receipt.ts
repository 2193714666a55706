import * as z from '../../kit/pure/shape.ts';
import { ChangedDecider, DeciderDigests, ProofLevel, SealedCounts } from './proof.ts';

const MergedTask = z.strictObject({
  /** The task's id and its plan. */
  id: z.string(),
  plan: z.string(),
  /** The branch it was merged for, and the commit that the task was taken from. */
  base: z.string(),
  taken_from: z.string(),
  /** The commit it was merged onto, whose deciders counted. */
  onto: z.string(),
  /** The tree that the gates judged: the merged files, before Ralph marked the task complete in the plan. */
  judged_tree: z.string(),
  /** Patterns of deciders that the operator lets it change. */
  may_change: z.array(z.string()),
});

/** What proves that the work is done. Only the loop writes it: as a git note of the commit, and in the run's folder. */
export const Receipt = z.strictObject({
  version: z.literal(1),
  run: z.string(),
  ralph: z.string(),
  task: z.string(),
  /** Null when nothing was committed; then the tree says what was proven. */
  commit: z.string().nullable(),
  tree: z.string().nullable(),
  /** Absent: it is about the run as a whole. */
  merged: MergedTask.optional(),
  /** Where the checks of the last proof ran: in the workspace, or in a fresh checkout. */
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  checks: z.array(
    z.strictObject({
      command: z.string(),
      exit_code: z.number().int().nullable(),
      duration_ms: z.number().int().nonnegative(),
      /** SHA-256 of its output. */
      output_sha256: z.string(),
      flaky: z.boolean(),
      /** Whether it was red before the first iteration, as a witness must be. */
      was_red: z.boolean().nullable(),
      /** How many tests it says it ran; null: it does not say. */
      tests: z.number().int().nonnegative().nullable().optional(),
    }),
  ),
  /** How the claim was proven; absent: green checks were enough. */
  proof: z
    .strictObject({
      level: ProofLevel,
      /** Deciders that differ from the start. */
      changed: z.array(ChangedDecider),
      /** Changes that the operator allowed beforehand, and who allowed the claim afterwards. */
      allowed: z.array(z.string()),
      allowed_by: z.string().nullable(),
      allowed_at: z.number().nullable().optional(),
      deciders: DeciderDigests.optional(),
      checks: z.array(z.strictObject({ command: z.string(), state: z.enum(['living', 'dead', 'unknown']), files: z.array(z.string()) })),
      sealed: SealedCounts.optional(),
    })
    .optional(),
  /** The sandbox that kept agents away from the signing key. */
  sandbox: z.string().optional(),
  agent: z.string(),
  model: z.string().nullable(),
  cost_usd: z.number().nullable(),
  iterations: z.number().int(),
  written_at: z.number(),
});
export type Receipt = Readonly<z.infer<typeof Receipt>>;
