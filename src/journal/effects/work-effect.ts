import * as z from '../../kit/pure/shape.ts';
import { GateSpec, ProofSpec } from '../../settings/schema/run-settings.ts';
import { AnsweredQuestion } from '../words/claim.ts';
import { PlanEdit, PlanTask } from '../words/plan.ts';
import { GateLife } from '../words/proof.ts';
import { HeldClaim, taskResult } from '../words/task-register.ts';

const Iteration = z.number().int().nonnegative();
const common = { key: z.string(), iteration: Iteration, attempt: z.number().int().nonnegative() };
/** The fencing number of the hold. */
const Fence = z.number().int().positive();

/** Finds the first ready task that nobody holds, and holds it for a worker. */
export const TakeTask = z.strictObject({
  kind: z.literal('take-task'),
  ...common,
  lane: z.number().int().positive(),
  /** The tasks that a person told the run to leave alone; absent: none. */
  skip: z.array(z.string()).optional(),
});
export type TakeTask = Readonly<z.infer<typeof TakeTask>>;

/** Makes a worktree and a branch for the task: new from the base, or from what an earlier holder left. */
export const OpenWorkspace = z.strictObject({
  kind: z.literal('open-workspace'),
  ...common,
  task: z.string(),
  n: Fence,
  branch: z.string(),
  /** The branch of the earlier holder; null: there is none. */
  from: z.string().nullable(),
});
export type OpenWorkspace = Readonly<z.infer<typeof OpenWorkspace>>;

/** Runs after an attempt: commits what the agent left, reads its edits of the plan, and takes those out of its branch. */
export const SettlePlan = z.strictObject({
  kind: z.literal('settle-plan'),
  ...common,
  task: PlanTask,
  n: Fence,
  path: z.string(),
  base: z.string(),
  /** The files in which an agent has resolved conflicts, if any. */
  clashed: z.array(z.string()),
});
export type SettlePlan = Readonly<z.infer<typeof SettlePlan>>;

/** Merges one branch at a time, runs the gates on the result, and moves the base if all are green. */
export const Merge = z.strictObject({
  kind: z.literal('merge'),
  ...common,
  task: PlanTask,
  n: Fence,
  /** The commit to merge. */
  head: z.string(),
  /** A tree on which the same gates were already green: they need not run on it again. */
  green_tree: z.string().nullable(),
  gates: z.array(GateSpec),
  /** The agent's accepted edits of the plan. */
  edits: z.array(PlanEdit),
  /** What the merged result is proven by besides its gates; absent: nothing. */
  proof: ProofSpec.extend({
    /** The gates' states seen before; empty: nobody has looked. */
    living: z.array(GateLife),
    /** A held claim that a person has allowed. It counts as long as its deciders are those the person saw. */
    allowed: HeldClaim.optional(),
  }).optional(),
  /** How often the sealed checks were red before. */
  sealed_runs: z.number().int().nonnegative().optional(),
  until: z.number().nullable().default(null),
});
export type Merge = Readonly<z.infer<typeof Merge>>;

/** Merges the base into the worktree of a branch that conflicts with it and leaves the conflict markers for an agent to resolve. */
export const BringBase = z.strictObject({ kind: z.literal('bring-base'), ...common, path: z.string() });
export type BringBase = Readonly<z.infer<typeof BringBase>>;

/** Releases a task, with its result. */
export const ReleaseTask = z.strictObject({
  kind: z.literal('release-task'),
  ...common,
  task: z.string(),
  n: Fence,
  state: z.enum(['free', 'done', 'failed', 'conflict', 'parked']),
  ...taskResult,
});
export type ReleaseTask = Readonly<z.infer<typeof ReleaseTask>>;

/** Frees a task that waits for a person, with the answer to its question if it has one, so that any worker may take it. */
export const AnswerTask = z.strictObject({
  kind: z.literal('answer-task'),
  ...common,
  task: z.string(),
  /** The number under which it is parked with its question. Absent: a person wants it tried again, whatever it waits for. */
  n: Fence.optional(),
  answers: z.array(AnsweredQuestion),
});
export type AnswerTask = Readonly<z.infer<typeof AnswerTask>>;

/** Removes the worktree. The branch stays unless its work is on the base; uncommitted changes are kept under a ref. */
export const CloseWorkspace = z.strictObject({ kind: z.literal('close-workspace'), ...common, path: z.string(), branch: z.string(), is_merged: z.boolean() });
export type CloseWorkspace = Readonly<z.infer<typeof CloseWorkspace>>;
