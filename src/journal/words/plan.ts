import * as z from '../../kit/pure/shape.ts';

/** The words of seed 000. `planned` in front matter is read as pending. */
export const TaskStatus = z.enum(['pending', 'ready', 'in-progress', 'complete', 'blocked']);
export type TaskStatus = z.infer<typeof TaskStatus>;

/**
 * The state of a task by the plan's file and its register together. waiting: for the tasks it needs. blocked: the file says so. parked: its claim is held until
 * a person allows it, or its question until a person answers.
 */
export const TaskStanding = z.enum(['complete', 'held', 'failed', 'conflict', 'parked', 'blocked', 'waiting', 'ready']);
export type TaskStanding = z.infer<typeof TaskStanding>;

/** One task of a plan: what it is about, what must be done before it, and what proves that it is done. */
export const PlanTask = z.strictObject({
  id: z.string().min(1),
  title: z.string(),
  description: z.string(),
  story: z.string().nullable(),
  milestones: z.array(z.string()),
  tags: z.array(z.string()),
  /** The lowest number goes first. */
  priority: z.number(),
  complexity: z.string().nullable(),
  /** As the plan's file has it. Who works on the task is not in the file. */
  status: TaskStatus,
  /** The tasks that must be complete before this one is ready. */
  needs: z.array(z.string()),
  /** Paths that must exist and not be empty when it is done; from the top of the work tree. */
  outputs: z.array(z.string()),
  /** Shell commands that must be green when it is done. */
  verify: z.array(z.string()),
  /** Patterns of deciders that the task may change all the same; only the operator sets them. */
  may_change: z.array(z.string()).optional(),
  /** The labels that a worker must have to take it; only the operator sets them. */
  runs_on: z.array(z.string()).optional(),
  /** The file with more about it, from the top of the work tree. */
  path: z.string().nullable(),
});
export type PlanTask = Readonly<z.infer<typeof PlanTask>>;

/** A story or a milestone: a name for several tasks. */
export interface PlanGroup {
  readonly id: string;
  readonly title: string;
  readonly path: string | null;
}

/** The set of tasks, in the order of the file. */
export interface Plan {
  /** The name of the project, for prompts. */
  readonly project: string;
  readonly tasks: readonly PlanTask[];
  readonly stories: readonly PlanGroup[];
  readonly milestones: readonly PlanGroup[];
  /** Commands that must be green on every merged result, whatever the task. */
  readonly verify: readonly string[];
}

/** A problem of a plan: the file, the line, the text, and the task if it is known. */
export interface PlanProblem {
  readonly file: string;
  readonly line: number | null;
  readonly message: string;
  readonly task: string | null;
}

/** What may be written into a plan: a task's status, or an agent's accepted additions and rewordings. */
export const PlanEdit = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), id: z.string(), status: TaskStatus, at_ms: z.number() }),
  z.strictObject({
    kind: z.literal('reword'),
    id: z.string(),
    fields: PlanTask.pick({ title: true, description: true, complexity: true, tags: true }).partial(),
  }),
  z.strictObject({ kind: z.literal('add'), task: PlanTask }),
]);
export type PlanEdit = Readonly<z.infer<typeof PlanEdit>>;

/** Which tasks to include; null or empty includes all. */
export const TaskFilter = z.strictObject({
  story: z.string().nullable(),
  milestone: z.string().nullable(),
  tags: z.array(z.string()),
  /** What the worker has, for tasks that ask for it in `runs_on`. Absent: it takes any. */
  labels: z.array(z.string()).optional(),
});
export type TaskFilter = Readonly<z.infer<typeof TaskFilter>>;

/** Why there is no task to take. It is computed from the plan and its registers, never from an agent's text. */
export const NothingReason = z.enum(['all-complete', 'all-blocked', 'all-claimed', 'none-match', 'empty']);
export type NothingReason = z.infer<typeof NothingReason>;
