import { TaskFilter } from '../../journal/words/plan.ts';
import * as z from '../../kit/pure/shape.ts';
import { Price } from './price.ts';

const Ms = z.number().int().nonnegative();
const Count = z.number().int().nonnegative();

/** A plan and how to work on it (seed 000). */
export const WorkSpec = z.strictObject({
  plan: z.strictObject({
    /** The kind of its form: `src/plans/forms.ts` lists them. */
    kind: z.string().min(1),
    /** The file or folder, relative to the top of the work tree. The names of the plan's registers contain it too. */
    path: z.string().min(1),
  }),
  /** The plan's home: the top of the work tree where `ralph work` was started, absolute. */
  home: z.string().min(1),
  /** The branch into which results are merged. */
  base: z.string().min(1),
  filter: TaskFilter,
  /** The pause of a worker between two tasks. */
  pauseMs: Ms,
  /** How often a failed or unfinished task is retried. */
  retryFailed: Count,
  /** How often a task is retried because its claim was not proven, before it is left for a person. */
  unprovenTries: Count,
  /** How often a red gate is run again at once, to detect flaky ones. */
  flakyRetries: Count.optional(),
  /** How often an agent may try to resolve a merge conflict. */
  resolveTries: Count,
  /** The file of the prompt template, absolute; null means the built-in one. */
  template: z.string().nullable(),
  /** A command that prints the prompt instead of plan and template; null if there is none. */
  promptCommand: z.string().nullable(),
  failOnBlocked: z.boolean(),
  /** The run stops after more failed tasks than this; null means never. */
  maxFailures: Count.nullable(),
  budget: z.strictObject({ costUsd: z.number().positive().nullable(), timeMs: Ms }),
  /** By the name of a model. */
  prices: z.record(z.string(), Price),
  /** How worktrees are set up, from the settings. */
  worktree: z.strictObject({
    root: z.string().nullable(),
    copy: z.array(z.string()),
    link: z.array(z.string()),
    setup: z.strictObject({ command: z.string(), timeoutMs: Ms }).nullable(),
  }),
  /** The timeout of a verify command of the plan. */
  verifyTimeoutMs: Ms,
  /** Where the machines of a fleet meet; absent: this machine works alone. */
  store: z
    .strictObject({
      /** Without a password. */
      address: z.string().min(1),
      /** The object that `refs/ralph/fleet` names on the remote. */
      fleet: z.string().min(1),
      /** The name of the remote here. */
      remote: z.string().min(1),
      leaseMs: Ms,
    })
    .optional(),
  /** The folder of `ralph.jsonl` and `ralph.heartbeat`, absolute. */
  logs: z.string().min(1),
});
export type WorkSpec = Readonly<z.infer<typeof WorkSpec>>;
