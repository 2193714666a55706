import * as z from '../../kit/pure/shape.ts';
import { HeldClaim } from '../words/held-claim.ts';
import { NothingReason, PlanEdit, PlanTask } from '../words/plan.ts';
import { ChangedDecider, DeciderDigests, GateLife, ProofLevel, ProofVerdict, SealedCounts } from '../words/proof.ts';
import { GateResult } from './gates.ts';

const key = z.string();
const iteration = z.number().int().nonnegative();
const Count = z.number().int().nonnegative();

/** A task, held by a lane of this run. */
export const TaskTaken = z.strictObject({
  type: z.literal('task.taken'),
  key,
  lane: z.number().int().positive(),
  task: PlanTask,
  /** The fencing number. */
  n: z.number().int().positive(),
  tries: Count,
  feedback: z.string(),
  /** The branch of an earlier holder. */
  from: z.string().nullable(),
  /** What the prompt command said; null: the template says it. */
  prompt: z.string().nullable(),
  /** Its last claim, if that was held. One that a person has allowed needs no agent. */
  claim: HeldClaim.optional(),
});
export type TaskTaken = Readonly<z.infer<typeof TaskTaken>>;

/** Nothing could be taken, and why. `held`: whether a living run works on something, so that more may become ready by itself. */
export const TaskNone = z.strictObject({
  type: z.literal('task.none'),
  key,
  reason: NothingReason,
  held: z.boolean(),
  /** How many tasks there are in each state, as far as the filter admits them. */
  counts: z.strictObject({ total: Count, complete: Count, in_progress: Count, blocked: Count, failed: Count, parked: Count.optional() }),
  /** One line for people, such as which tasks wait for whom. */
  detail: z.string(),
});
export type TaskNone = Readonly<z.infer<typeof TaskNone>>;

/** The plan could not be read, or the prompt command failed: likely to pass, so it is tried again. */
export const PlanTroubled = z.strictObject({ type: z.literal('plan.troubled'), key, why: z.string() });
export type PlanTroubled = Readonly<z.infer<typeof PlanTroubled>>;

/** Somebody said `ralph task complete`: a claim. Told by the door. */
export const TaskClaimed = z.strictObject({ type: z.literal('task.claimed'), task: z.string(), n: z.number().int().positive(), by: z.string() });
export type TaskClaimed = Readonly<z.infer<typeof TaskClaimed>>;

/** The register of a held task has moved: somebody has reset it or taken it over. */
export const TaskLost = z.strictObject({ type: z.literal('task.lost'), task: z.string(), n: z.number().int().positive(), why: z.string() });
export type TaskLost = Readonly<z.infer<typeof TaskLost>>;

/** `problem`: no worktree could be made. */
export const WorkspaceOpened = z.strictObject({
  type: z.literal('workspace.opened'),
  key,
  iteration,
  path: z.string(),
  /** Where the agent works: as far below the top of the worktree as the operator was below the top of theirs. */
  cwd: z.string(),
  branch: z.string(),
  base: z.string(),
  problem: z.string().nullable(),
});
export type WorkspaceOpened = Readonly<z.infer<typeof WorkspaceOpened>>;

/** `kept`: the ref that keeps what was not committed; null when nothing was left. */
export const WorkspaceClosed = z.strictObject({
  type: z.literal('workspace.closed'),
  key,
  iteration,
  kept: z.string().nullable(),
  problem: z.string().nullable(),
});
export type WorkspaceClosed = Readonly<z.infer<typeof WorkspaceClosed>>;

export const PlanSettled = z.strictObject({
  type: z.literal('plan.settled'),
  key,
  iteration,
  /** Whether the agent has set its own task to complete in the file: a claim like any other. */
  claimed: z.boolean(),
  /** What it may change, in words, and what it may not. */
  accepted: z.array(z.string()),
  refused: z.array(z.string()),
  /** What was accepted, to be written when it is merged. */
  edits: z.array(PlanEdit),
  /** The commit its branch is on now and that commit's tree. */
  head: z.string(),
  tree: z.string(),
  /** Whether the branch has anything that the base has not. */
  changed: z.boolean(),
  /** Protected paths that were changed on it, and were put back; what was made of them is under the ref. */
  restored: z.array(z.string()).default([]),
  kept: z.string().nullable().default(null),
  problem: z.string().nullable(),
});
export type PlanSettled = Readonly<z.infer<typeof PlanSettled>>;

/** What came of putting a merged result to the proof. */
const MergeProof = z.strictObject({
  verdict: ProofVerdict,
  level: ProofLevel,
  /** The merged result. */
  tree: z.string(),
  /** What the gates said in the pass that the verdict rests on. */
  results: z.array(GateResult),
  changed: z.array(ChangedDecider),
  /** Changes that the operator has allowed beforehand, and who has allowed the others since. */
  allowed: z.array(z.string()),
  allowed_by: z.string().nullable(),
  gates: z.array(GateLife),
  deciders: DeciderDigests.optional(),
  /** Absent: the sealed checks were not run. */
  sealed: SealedCounts.optional(),
  /** One line for a person; empty when it is proven. */
  reason: z.string(),
  /** What the operator lets agents know when the sealed checks are red. */
  hint: z.string().optional(),
});
export type MergeProof = Readonly<z.infer<typeof MergeProof>>;

/** What a merged result is proven by, without what its gates printed. Written before the base moves: whoever dies in between has it all the same. */
export const MergeProven = z.strictObject({
  type: z.literal('merge.proven'),
  key,
  iteration,
  /** The commit it is merged onto, and the merged result as the gates were given it. */
  onto: z.string(),
  tree: z.string(),
  /** Empty where they had seen the same tree before. */
  results: z.array(GateResult),
  proof: MergeProof.optional(),
});
export type MergeProven = Readonly<z.infer<typeof MergeProven>>;

/** merged: it is on the base. red: the gates said no. held: green only with changes of what decides. conflict: git did. moved: the base was moved by somebody else, try again. failed: git could not. */
export const MergeJudged = z.strictObject({
  type: z.literal('merge.judged'),
  key,
  iteration,
  result: z.enum(['merged', 'red', 'held', 'conflict', 'moved', 'failed']),
  /** The commit on the base; null unless merged. */
  commit: z.string().nullable(),
  /** The tree of that commit. */
  tree: z.string().optional(),
  /** What each gate said on the merged result; empty where they had seen the same tree before. */
  results: z.array(GateResult),
  /** Declared outputs that are missing or empty, in words. */
  missing: z.array(z.string()),
  conflicts: z.array(z.string()),
  /** The ref that keeps a result that was not taken. */
  kept: z.string().nullable(),
  /** Why the operator's branch does not follow; null when it does, or when there was nothing to follow. */
  left_behind: z.string().nullable(),
  /** Tasks that became ready by it. */
  unlocked: z.array(z.string()),
  detail: z.string(),
  proof: MergeProof.optional(),
});
export type MergeJudged = Readonly<z.infer<typeof MergeJudged>>;

export const BaseBrought = z.strictObject({
  type: z.literal('base.brought'),
  key,
  iteration,
  base: z.string(),
  conflicts: z.array(z.string()),
  problem: z.string().nullable(),
});
export type BaseBrought = Readonly<z.infer<typeof BaseBrought>>;

export const TaskReleased = z.strictObject({
  type: z.literal('task.released'),
  key,
  iteration,
  task: z.string(),
  state: z.enum(['free', 'done', 'failed', 'conflict', 'parked']),
  /** False when it was no longer ours: somebody else has it by then. */
  was_ours: z.boolean(),
});
export type TaskReleased = Readonly<z.infer<typeof TaskReleased>>;
