import * as z from '../../kit/pure/shape.ts';
import { GateSpec } from '../../settings/schema/run-settings.ts';
import { ChangedDecider, DeciderDigests, GateLife, ProofLevel, ProofVerdict, SealedCounts } from '../words/proof.ts';
import { Ending } from './attempt.ts';

/** The result of one gate, as the loop itself saw it. */
export const GateResult = z.strictObject({
  gate: GateSpec,
  green: z.boolean(),
  /** Red at first, green when it ran again on the same tree: not the agent's fault. */
  flaky: z.boolean().default(false),
  ending: Ending,
  /** Relative to the workspace, for people and agents to read. */
  log: z.string(),
  /** The beginning or the end of the output, and how many bytes the whole had. */
  output: z.string(),
  /** The end of the output of a red gate, if `output` is only its beginning. For people; prompts get `output`. */
  output_end: z.string().optional(),
  output_bytes: z.number().int().nonnegative(),
  /** SHA-256 of the whole output; empty where it is not needed. */
  output_sha256: z.string().default(''),
  duration_ms: z.number().int().nonnegative(),
  /** How many tests its runner says it ran; null: it does not say. Absent where it is not needed. */
  tests: z.number().int().nonnegative().nullable().optional(),
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
  /** The git tree that the gates judged; null when it was not asked for, or git cannot write it. */
  tree: z.string().nullable(),
  /** The tree they left. Files left by a gate are not the agent's work. */
  tree_after: z.string().nullable(),
  /** The commit that the workspace was on, and its tree; null before the first commit, or when it was not asked for. */
  head: z.string().nullable().default(null),
  head_tree: z.string().nullable().default(null),
  /** The same tree without what was dirty before the start: the one that may be committed. Absent: it is the same. */
  commit_tree: z.string().optional(),
  /** The first paths that it is without, and those of them that have changed since the start. */
  dirt: z.strictObject({ paths: z.array(z.string()), changed: z.array(z.string()) }).optional(),
  /** Protected paths that the gates had changed and Ralph reverted. */
  tidied: z.array(z.string()).default([]),
  /** Why git cannot write the tree. */
  problem: z.string().nullable().default(null),
});
export type GatesJudged = Readonly<z.infer<typeof GatesJudged>>;

/** Protected paths were checked after an attempt, and reverted where it had changed them. */
export const PathsRestored = z.strictObject({
  type: z.literal('paths.restored'),
  key: z.string(),
  iteration: z.number().int().positive(),
  attempt: z.number().int().positive(),
  /** Empty: nothing was changed. */
  paths: z.array(z.string()),
  /** The ref that keeps the agent's version; null when nothing was changed. */
  kept: z.string().nullable(),
});
export type PathsRestored = Readonly<z.infer<typeof PathsRestored>>;

export const ReceiptWritten = z.strictObject({
  type: z.literal('receipt.written'),
  key: z.string(),
  /** The file in the run's folder, and the commit whose note holds the same text; null without a commit. */
  file: z.string(),
  commit: z.string().nullable(),
  /** The fingerprint of the key that signed it; null: it is not signed, and why. Absent: written by a Ralph that did not sign. */
  signed_by: z.string().nullable().optional(),
  why_unsigned: z.string().optional(),
  /** The task or story it is about; absent: the run as a whole. */
  task: z.string().optional(),
  /** Why the commit of a task or story has no note; there is only the file then. */
  why_no_note: z.string().optional(),
});
export type ReceiptWritten = Readonly<z.infer<typeof ReceiptWritten>>;

/** True: it was cut off, and proves nothing. */
const CutOff = z.boolean().optional();

/** The result of planting failures before the first iteration. */
export const LivingFound = z.strictObject({
  type: z.literal('living.found'),
  key: z.string(),
  gates: z.array(GateLife),
  /** The commands of gates that an earlier run has seen living on the same files. Absent: none. */
  known: z.array(z.string()).optional(),
  /** The sealed checks are green before any work, so they cannot tell whether it is done. */
  sealed_green: z.literal(true).optional(),
  cut_off: CutOff,
});
export type LivingFound = Readonly<z.infer<typeof LivingFound>>;

/** The result of putting a claim to the proof. */
export const ProofJudged = z.strictObject({
  type: z.literal('proof.judged'),
  key: z.string(),
  iteration: z.number().int().positive(),
  attempt: z.number().int().positive(),
  tree: z.string(),
  verdict: ProofVerdict,
  /** How far it was proven. place: green where the agent worked, because no copy can be made here. */
  level: ProofLevel,
  /** The gate results in the copy that the verdict rests on. */
  results: z.array(GateResult),
  /** All deciders that differ from the base; the gates also had to be green without these changes. */
  changed: z.array(ChangedDecider),
  /** Changes that the operator allowed beforehand. */
  allowed: z.array(z.string()),
  gates: z.array(GateLife),
  /** Absent: they could not be read. */
  deciders: DeciderDigests.optional(),
  /** One line for people: what is in the way; empty when it is proven. */
  reason: z.string(),
  /** Absent: the sealed checks were not run. */
  sealed: SealedCounts.optional(),
  /** What the operator tells agents when the sealed checks are red. */
  hint: z.string().optional(),
  cut_off: CutOff,
});
export type ProofJudged = Readonly<z.infer<typeof ProofJudged>>;

const ofSealed = { key: z.string(), iteration: z.number().int().positive(), attempt: z.number().int().nonnegative() };

/** The sealed checks are about to run. This is journaled first, so that a run that dies inside has used up one of its runs of them. */
export const SealedBegun = z.strictObject({ type: z.literal('sealed.begun'), ...ofSealed });
export type SealedBegun = Readonly<z.infer<typeof SealedBegun>>;

/** The result of the sealed checks: one bit, and numbers. */
export const SealedJudged = z.strictObject({ type: z.literal('sealed.judged'), ...ofSealed, green: z.boolean(), ...SealedCounts.shape });
export type SealedJudged = Readonly<z.infer<typeof SealedJudged>>;

/** The operator allows a held claim. */
export const ClaimAllowed = z.strictObject({
  type: z.literal('claim.allowed'),
  iteration: z.number().int().positive(),
  /** The task or story it is about; absent: the run as a whole. */
  task: z.string().optional(),
  paths: z.array(z.string()),
  by: z.string(),
});
export type ClaimAllowed = Readonly<z.infer<typeof ClaimAllowed>>;
