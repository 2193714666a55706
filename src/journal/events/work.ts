import * as z from '../../kit/pure/shape.ts';
import { AnsweredQuestion } from '../words/claim.ts';
import { NothingReason, PlanEdit, PlanTask, TaskStanding } from '../words/plan.ts';
import { ChangedDecider, DeciderDigests, GateLife, ProofLevel, ProofVerdict, SealedCounts } from '../words/proof.ts';
import { HeldClaim } from '../words/task-register.ts';
import { GateResult } from './gates.ts';

const key = z.string();
const iteration = z.number().int().nonnegative();
const Count = z.number().int().nonnegative();

/** A task as the run saw it, so that views can show any moment. Nothing is decided by it. */
const SeenTask = z.strictObject({ id: z.string(), title: z.string(), needs: z.array(z.string()), standing: TaskStanding });
export type SeenTask = Readonly<z.infer<typeof SeenTask>>;

/** whole: these are all tasks, in the order of the plan; else only those that stand otherwise than at the last look. */
const PlanNews = z.strictObject({ whole: z.boolean(), tasks: z.array(SeenTask) });
export type PlanNews = Readonly<z.infer<typeof PlanNews>>;

/** A task, held by a worker of this run. */
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
  /** The output of the prompt command; null: the template is used. */
  prompt: z.string().nullable(),
  /** Its last claim, if that was held. If a person has allowed it, no agent is needed. */
  claim: HeldClaim.optional(),
  /** What people have answered about it. */
  answers: z.array(AnsweredQuestion).optional(),
  /** The commit that merged it before a person set it back in the plan. */
  done_before: z.string().optional(),
  /** How many tasks the run may still do, this one and those of other workers included. */
  open: Count.optional(),
  /** How many tasks there are for it, and how many of them were complete then. */
  total: Count.optional(),
  complete: Count.optional(),
  /** Absent: nothing is new. */
  plan: PlanNews.optional(),
});
export type TaskTaken = Readonly<z.infer<typeof TaskTaken>>;

/** No task could be taken, and why. `held`: whether a living run works on a task, so that more may become ready without anybody's help. */
const nothing = {
  reason: NothingReason,
  held: z.boolean(),
  /** How many tasks there are in each state, among those that match the filter. */
  counts: z.strictObject({
    total: Count,
    complete: Count,
    in_progress: Count,
    blocked: Count,
    failed: Count,
    parked: Count.optional(),
    asking: Count.optional(),
  }),
  /** One line for people, such as which tasks wait for whom. */
  detail: z.string(),
};

export const TaskNone = z.strictObject({ type: z.literal('task.none'), key, ...nothing, plan: PlanNews.optional() });
export type TaskNone = Readonly<z.infer<typeof TaskNone>>;

/** The plan could not be read, or the prompt command failed. This is likely to pass, so Ralph retries. */
export const PlanTroubled = z.strictObject({ type: z.literal('plan.troubled'), key, why: z.string() });
export type PlanTroubled = Readonly<z.infer<typeof PlanTroubled>>;

/** Somebody ran `ralph task complete`, which is a claim. It comes through the door. */
export const TaskClaimed = z.strictObject({ type: z.literal('task.claimed'), task: z.string(), n: z.number().int().positive(), by: z.string() });
export type TaskClaimed = Readonly<z.infer<typeof TaskClaimed>>;

/** The register of a held task has changed: somebody has reset the task or taken it over. */
export const TaskLost = z.strictObject({ type: z.literal('task.lost'), task: z.string(), n: z.number().int().positive(), why: z.string() });
export type TaskLost = Readonly<z.infer<typeof TaskLost>>;

/** Another machine has changed a task: an idle worker looks at once. */
export const TasksChanged = z.strictObject({ type: z.literal('tasks.changed') });

/** `problem`: why no worktree could be made. */
export const WorkspaceOpened = z.strictObject({
  type: z.literal('workspace.opened'),
  key,
  iteration,
  path: z.string(),
  /** The agent's folder: as far below the top of the worktree as the operator was below the top of theirs. */
  cwd: z.string(),
  branch: z.string(),
  base: z.string(),
  /** The commit at HEAD. Absent: nobody has looked. */
  head: z.string().optional(),
  problem: z.string().nullable(),
});
export type WorkspaceOpened = Readonly<z.infer<typeof WorkspaceOpened>>;

/** `kept`: the ref that keeps uncommitted changes; null when there were none. */
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
  /** Whether the agent set its own task to complete in the file: a claim like any other. */
  claimed: z.boolean(),
  /** Accepted and refused edits, in words. */
  accepted: z.array(z.string()),
  refused: z.array(z.string()),
  /** The accepted edits, to be written when the task is merged. */
  edits: z.array(PlanEdit),
  /** The branch's commit and its tree. */
  head: z.string(),
  tree: z.string(),
  /** Whether the branch has anything that the base does not have. */
  changed: z.boolean(),
  /** Protected paths that the branch had changed and Ralph reverted; the agent's version is under the ref. */
  restored: z.array(z.string()).default([]),
  kept: z.string().nullable().default(null),
  problem: z.string().nullable(),
});
export type PlanSettled = Readonly<z.infer<typeof PlanSettled>>;

/** The result of putting a merged result to the proof. */
const MergeProof = z.strictObject({
  verdict: ProofVerdict,
  level: ProofLevel,
  /** The tree of the merged result. */
  tree: z.string(),
  /** The gate results in the pass that the verdict rests on. */
  results: z.array(GateResult),
  changed: z.array(ChangedDecider),
  /** Changes that the operator allowed beforehand, and who allowed the others since. */
  allowed: z.array(z.string()),
  allowed_by: z.string().nullable(),
  gates: z.array(GateLife),
  deciders: DeciderDigests.optional(),
  /** Absent: the sealed checks were not run. */
  sealed: SealedCounts.optional(),
  /** One line for people; empty when it is proven. */
  reason: z.string(),
  /** What the operator tells agents when the sealed checks are red. */
  hint: z.string().optional(),
});
export type MergeProof = Readonly<z.infer<typeof MergeProof>>;

/** What a merged result is proven by, without the gates' output. Journaled before the base moves, so that it survives a crash in between. */
export const MergeProven = z.strictObject({
  type: z.literal('merge.proven'),
  key,
  iteration,
  /** The commit it is merged onto, and the merged tree that the gates judged. */
  onto: z.string(),
  tree: z.string(),
  /** Empty where the gates had already judged the same tree. */
  results: z.array(GateResult),
  proof: MergeProof.optional(),
});
export type MergeProven = Readonly<z.infer<typeof MergeProven>>;

/**
 * merged: it is on the base. red: a gate is red. held: green only with changed deciders. conflict: git reports conflicts. moved: somebody else moved the base;
 * retry. failed: git failed.
 */
export const MergeJudged = z.strictObject({
  type: z.literal('merge.judged'),
  key,
  iteration,
  result: z.enum(['merged', 'red', 'held', 'conflict', 'moved', 'failed']),
  /** The commit on the base; null unless merged. */
  commit: z.string().nullable(),
  /** The tree of that commit. */
  tree: z.string().optional(),
  /** The result of each gate on the merged result; empty where they had already judged the same tree. */
  results: z.array(GateResult),
  /** Declared outputs that are missing or empty, in words. */
  missing: z.array(z.string()),
  conflicts: z.array(z.string()),
  /** What it conflicts with. */
  onto: z.string().optional(),
  /** The ref that keeps a result that was not accepted. */
  kept: z.string().nullable(),
  /** Why the operator's branch does not follow; null when it does, or when there was nothing to follow. */
  left_behind: z.string().nullable(),
  /** Tasks that became ready. */
  unlocked: z.array(z.string()),
  detail: z.string(),
  proof: MergeProof.optional(),
  /** The plan in the merged tree could not be told that the task is complete. */
  unwritten: z.literal(true).optional(),
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
  /** False when this run no longer held it: somebody else has taken it. */
  was_ours: z.boolean(),
  /** Why no task could be taken then; absent if one could, or nobody looked. A worker that knows it does not pause first. */
  none: z.strictObject(nothing).optional(),
});
export type TaskReleased = Readonly<z.infer<typeof TaskReleased>>;

/** The answer to a question is in the register of its task, which any worker may take now. */
export const TaskAnswered = z.strictObject({
  type: z.literal('task.answered'),
  key,
  task: z.string(),
  /** The number under which it was parked with its question; absent: a person wanted it tried again. */
  n: z.number().int().positive().optional(),
  /** False when somebody has changed the register since. */
  was_ours: z.boolean(),
});
export type TaskAnswered = Readonly<z.infer<typeof TaskAnswered>>;
