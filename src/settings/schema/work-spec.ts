import { TaskFilter } from '../../journal/words/plan.ts';
import * as z from '../../kit/pure/shape.ts';
import { Price } from './price.ts';

const Ms = z.number().int().nonnegative();
const Count = z.number().int().nonnegative();

/** A plan and how it is worked on (seed 000). */
export const WorkSpec = z.strictObject({
  plan: z.strictObject({
    kind: z.enum(['task-graph', 'tickets', 'stories']),
    /** The file or folder, from the top of the work tree. It names the plan's registers too. */
    path: z.string().min(1),
  }),
  /** The plan's one home, absolute: the top of the work tree where `ralph work` was started. */
  home: z.string().min(1),
  /** The branch that results are merged for. */
  base: z.string().min(1),
  filter: TaskFilter,
  /** Between two tasks of a lane. */
  pauseMs: Ms,
  /** How often a task that failed, or was left without being completed, is tried again. */
  retryFailed: Count,
  /** How often a task goes back because its claim was not proven, before it is left for a person. */
  unprovenTries: Count,
  /** How often an agent may try to resolve a merge conflict. */
  resolveTries: Count,
  /** The file of the prompt's template, absolute; null: the built-in one. */
  template: z.string().nullable(),
  /** Says what to do in the place of plan and template; null: they do. */
  promptCommand: z.string().nullable(),
  failOnBlocked: z.boolean(),
  /** More failed tasks than this, and the crew stops; null: never. */
  maxFailures: Count.nullable(),
  budget: z.strictObject({ costUsd: z.number().positive().nullable(), timeMs: Ms }),
  /** By the name of a model. */
  prices: z.record(z.string(), Price),
  /** How worktrees are furnished, as the settings say it. */
  worktree: z.strictObject({
    root: z.string().nullable(),
    copy: z.array(z.string()),
    link: z.array(z.string()),
    setup: z.strictObject({ command: z.string(), timeoutMs: Ms }).nullable(),
  }),
  /** How long one of the plan's own commands may take. */
  verifyTimeoutMs: Ms,
  /** The folder of `ralph.jsonl` and `ralph.heartbeat`, absolute. */
  logs: z.string().min(1),
});
export type WorkSpec = Readonly<z.infer<typeof WorkSpec>>;
