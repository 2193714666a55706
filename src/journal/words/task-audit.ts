import * as z from 'zod';

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
