import * as z from '../../kit/pure/shape.ts';
import { GateSpec, ProofSpec } from '../../settings/schema/run-settings.ts';
import { HeldClaim } from '../words/held-claim.ts';
import { PlanEdit, PlanTask } from '../words/plan.ts';
import { GateLife } from '../words/proof.ts';

const Iteration = z.number().int().nonnegative();
const common = { key: z.string(), iteration: Iteration, attempt: z.number().int().nonnegative() };
/** The fencing number of the hold. */
const Fence = z.number().int().positive();

/** Looks for the first task that is ready and that nobody has, and holds it for a lane. */
export const TakeTask = z.strictObject({ kind: z.literal('take-task'), ...common, lane: z.number().int().positive() });
export type TakeTask = Readonly<z.infer<typeof TakeTask>>;

/** A worktree and a branch for the task: new from the base, or with what an earlier holder left. */
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

/** After an attempt: commits what the agent left, looks at what it wrote into the plan, and takes that out of its branch. */
export const SettlePlan = z.strictObject({
  kind: z.literal('settle-plan'),
  ...common,
  task: PlanTask,
  n: Fence,
  path: z.string(),
  base: z.string(),
  /** The files in which an agent has resolved a conflict, if it has. */
  clashed: z.array(z.string()),
});
export type SettlePlan = Readonly<z.infer<typeof SettlePlan>>;

/** Merges a branch in a queue of one, has the gates look at the result, and moves the base if all is green. */
export const Merge = z.strictObject({
  kind: z.literal('merge'),
  ...common,
  task: PlanTask,
  n: Fence,
  /** What is merged. */
  head: z.string(),
  /** A tree that the same gates have seen green already: they need not look at it again. */
  green_tree: z.string().nullable(),
  gates: z.array(GateSpec),
  /** What its agent has added to the plan. */
  edits: z.array(PlanEdit),
  /** What the merged result is put to, besides its gates; absent: nothing. */
  proof: ProofSpec.extend({
    /** What was alive before; empty: nobody has looked. */
    living: z.array(GateLife),
    /** A claim that a person has allowed: it passes as long as its deciders are what they have seen. */
    allowed: HeldClaim.optional(),
  }).optional(),
  /** How many red runs of the sealed checks came before. */
  sealed_runs: z.number().int().nonnegative().optional(),
  until: z.number().nullable().default(null),
});
export type Merge = Readonly<z.infer<typeof Merge>>;

/** Brings the base into the worktree of a branch that conflicts with it, conflict markers and all, for an agent to resolve. */
export const BringBase = z.strictObject({ kind: z.literal('bring-base'), ...common, path: z.string() });
export type BringBase = Readonly<z.infer<typeof BringBase>>;

/** Lets a task go, with what became of it. */
export const ReleaseTask = z.strictObject({
  kind: z.literal('release-task'),
  ...common,
  task: z.string(),
  n: Fence,
  state: z.enum(['free', 'done', 'failed', 'conflict', 'parked']),
  branch: z.string().nullable(),
  base: z.string().nullable(),
  tries: z.number().int().nonnegative(),
  feedback: z.string(),
  claim: HeldClaim.optional(),
});
export type ReleaseTask = Readonly<z.infer<typeof ReleaseTask>>;

/** Removes the worktree. The branch stays unless its work is on the base; what is not committed is kept under a ref. */
export const CloseWorkspace = z.strictObject({ kind: z.literal('close-workspace'), ...common, path: z.string(), branch: z.string(), is_merged: z.boolean() });
export type CloseWorkspace = Readonly<z.infer<typeof CloseWorkspace>>;
