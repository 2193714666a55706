import * as z from '../../kit/pure/shape.ts';
import { GateSpec } from '../../settings/schema/run-settings.ts';
import { ChangedDecider, DeciderDigests, GateLife, ProofLevel, ProofVerdict, SealedCounts } from '../words/proof.ts';
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
  /** How many tests its runner says it ran; null: it does not say. Absent where nobody will ask. */
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
  /** The fingerprint of the key that signed it; null: none did, and why. Absent: by a Ralph that did not sign. */
  signed_by: z.string().nullable().optional(),
  why_unsigned: z.string().optional(),
  /** The task it is of; absent: the run as a whole. */
  task: z.string().optional(),
  /** Why the commit of a task has no note: the file has to do. */
  why_no_note: z.string().optional(),
});
export type ReceiptWritten = Readonly<z.infer<typeof ReceiptWritten>>;

/** True: it was ended before its end, and says nothing. */
const CutOff = z.boolean().optional();

/** What planted failures have shown before the first iteration. */
export const LivingFound = z.strictObject({
  type: z.literal('living.found'),
  key: z.string(),
  gates: z.array(GateLife),
  /** The commands of those that an earlier run has seen alive on the same files. Absent: none. */
  known: z.array(z.string()).optional(),
  cut_off: CutOff,
});
export type LivingFound = Readonly<z.infer<typeof LivingFound>>;

/** What came of putting a claim to the proof. */
export const ProofJudged = z.strictObject({
  type: z.literal('proof.judged'),
  key: z.string(),
  iteration: z.number().int().positive(),
  attempt: z.number().int().positive(),
  tree: z.string(),
  verdict: ProofVerdict,
  /** How far it got; place: green where the agent worked, since no copy can be made here. */
  level: ProofLevel,
  /** What the gates said in the copy that the verdict rests on. */
  results: z.array(GateResult),
  /** All deciders that are not those of the base; the gates had to be green without these changes too. */
  changed: z.array(ChangedDecider),
  /** Changes that the operator has allowed beforehand. */
  allowed: z.array(z.string()),
  gates: z.array(GateLife),
  /** Absent: nobody could look. */
  deciders: DeciderDigests.optional(),
  /** One line for a person: what stands in the way; empty when it is proven. */
  reason: z.string(),
  /** Absent: the sealed checks were not run. */
  sealed: SealedCounts.optional(),
  /** What the operator lets agents know when the sealed checks are red. */
  hint: z.string().optional(),
  cut_off: CutOff,
});
export type ProofJudged = Readonly<z.infer<typeof ProofJudged>>;

const ofSealed = { key: z.string(), iteration: z.number().int().positive(), attempt: z.number().int().nonnegative() };

/** The sealed checks are about to run. Written first, so that a run that dies inside has used one of its runs of them. */
export const SealedBegun = z.strictObject({ type: z.literal('sealed.begun'), ...ofSealed });
export type SealedBegun = Readonly<z.infer<typeof SealedBegun>>;

/** What came of them: one bit, and numbers. */
export const SealedJudged = z.strictObject({ type: z.literal('sealed.judged'), ...ofSealed, green: z.boolean(), ...SealedCounts.shape });
export type SealedJudged = Readonly<z.infer<typeof SealedJudged>>;

/** The operator lets a held claim pass. */
export const ClaimAllowed = z.strictObject({
  type: z.literal('claim.allowed'),
  iteration: z.number().int().positive(),
  /** The task or story it is about; absent: the run as a whole. */
  task: z.string().optional(),
  paths: z.array(z.string()),
  by: z.string(),
});
export type ClaimAllowed = Readonly<z.infer<typeof ClaimAllowed>>;
