import * as z from '../../kit/pure/shape.ts';
import { AnsweredQuestion, Question } from './claim.ts';
import { ChangedDecider } from './proof.ts';

/** The claim of a task that is green only with changed deciders. */
export const HeldClaim = z.strictObject({
  /** How many claims of the task in a row were held. */
  times: z.number().int().positive(),
  /** The tree of the merged result that was judged. */
  tree: z.string(),
  changed: z.array(ChangedDecider),
  /** Who allowed it, and when (epoch ms). */
  allowed: z.strictObject({ by: z.string(), at: z.number() }).optional(),
});
export type HeldClaim = Readonly<z.infer<typeof HeldClaim>>;

/** Who holds a task. A worker holds it as long as the process of its run lives; a person or a script, which has no process, until it is reset. */
export const Holder = z.strictObject({
  /** `<run>/<worker>`, or the value of RALPH_WORKER, or host and worktree. */
  name: z.string().min(1),
  run: z.string().nullable(),
  lane: z.number().int().positive().nullable(),
  /** Null when the holder has no process. */
  process: z.strictObject({ host: z.string(), boot_id: z.string(), pid: z.number().int(), start_time: z.string() }).nullable(),
});
export type Holder = Readonly<z.infer<typeof Holder>>;

/** What a task is left with when nobody works on it any more. */
export const taskResult = {
  /** The branch with the work so far and the commit it began on; for a done task, the commit on the base. */
  branch: z.string().nullable(),
  base: z.string().nullable(),
  /** How often it failed, or its claim was not proven. */
  tries: z.number().int().nonnegative(),
  /** What its next holder is told. */
  feedback: z.string(),
  /** Its last claim, if that was held. */
  claim: HeldClaim.optional(),
  /** For a parked task: the question that a person has to answer. Absent: its claim is held. */
  question: Question.optional(),
  /** What people have answered about it. */
  answers: z.array(AnsweredQuestion).optional(),
  /** For a done task: Ralph could not update the plan, so its old status is no request to do the task again. */
  unwritten: z.literal(true).optional(),
};

/**
 * What is known about a task besides its text. held: somebody works on it. free: nobody does. done: its result is on the base. failed: a person has to look.
 * conflict: its result cannot be merged. parked: its claim waits for a person to allow it, or its question for an answer. None of this is in the plan's file.
 */
export const TaskRegister = z.strictObject({
  state: z.enum(['held', 'free', 'done', 'failed', 'conflict', 'parked']),
  /** The last holder. */
  holder: Holder.nullable(),
  /** The effect that wrote it, so that it can be found after a crash; empty for people. */
  key: z.string(),
  at: z.number(),
  ...taskResult,
});
export type TaskRegister = Readonly<z.infer<typeof TaskRegister>>;

/** One line of `logs/task-audit.jsonl` (seed 000). */
export const AuditEntry = z.strictObject({
  timestamp: z.string(),
  event: z.enum(['claimed', 'completed', 'force-completed', 'reset', 'claim-blocked', 'complete-blocked', 'preview', 'released']),
  task_id: z.string(),
  old_status: z.string(),
  new_status: z.string(),
  worktree: z.string(),
  /** Who or what did it: the holder's name. */
  trigger: z.string(),
  notes: z.string().optional(),
});
export type AuditEntry = Readonly<z.infer<typeof AuditEntry>>;
