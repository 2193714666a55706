import * as z from '../../kit/pure/shape.ts';
import { HeldClaim } from './held-claim.ts';

/** Who has a task. A run's lane has it as long as its process lives; a person or a script, who has no process, until it is reset. */
export const Holder = z.strictObject({
  /** `<run>/<lane>`, or what RALPH_WORKER says, or host and worktree. */
  name: z.string().min(1),
  run: z.string().nullable(),
  lane: z.number().int().positive().nullable(),
  /** Null where no process stands for the holder. */
  process: z.strictObject({ host: z.string(), boot_id: z.string(), pid: z.number().int(), start_time: z.string() }).nullable(),
});
export type Holder = Readonly<z.infer<typeof Holder>>;

/**
 * What is known of a task beside its text. held: somebody works on it. free: nobody does. done: its result is on the base. failed: it is left for a
 * person. conflict: its result cannot be merged. parked: its claim waits for a person to allow it. The words are the run's, none of them stands in the plan's file.
 */
export const TaskRegister = z.strictObject({
  state: z.enum(['held', 'free', 'done', 'failed', 'conflict', 'parked']),
  /** Of the last one who had it. */
  holder: Holder.nullable(),
  /** The effect that put it, so that it is found again; empty for people. */
  key: z.string(),
  at: z.number(),
  /** The branch that holds what was done so far, and the commit it began on; of one that is done, the commit under which it is on the base. */
  branch: z.string().nullable(),
  base: z.string().nullable(),
  /** How often it came to nothing, or its claim was not proven. */
  tries: z.number().int().nonnegative(),
  /** What the next one who takes it is told. */
  feedback: z.string(),
  /** Its last claim, if that was held. */
  claim: HeldClaim.optional(),
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
