import * as z from '../../kit/pure/shape.ts';

/** In the words of seed 000. `planned` in front matter is read as pending. */
export const TaskStatus = z.enum(['pending', 'ready', 'in-progress', 'complete', 'blocked']);
export type TaskStatus = z.infer<typeof TaskStatus>;

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
  /** As the plan's file has it: who works on it is no matter of the file. */
  status: TaskStatus,
  /** The tasks that must be complete before this one is ready. */
  needs: z.array(z.string()),
  /** Paths that must be there, and not empty, when it is done; from the top of the work tree. */
  outputs: z.array(z.string()),
  /** Commands for the shell that must be green when it is done. */
  verify: z.array(z.string()),
  /** Patterns of files that decide whether it is green and that it may change all the same; the operator's alone. */
  may_change: z.array(z.string()).optional(),
  /** The file that says more about it, from the top of the work tree. */
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
  /** For prompts: the name of the project. */
  readonly project: string;
  readonly tasks: readonly PlanTask[];
  readonly stories: readonly PlanGroup[];
  readonly milestones: readonly PlanGroup[];
  /** Commands that must be green on every merged result, whatever the task. */
  readonly verify: readonly string[];
}

/** Something that is wrong with a plan: which file, which line, what, and if it can be told which task. */
export interface PlanProblem {
  readonly file: string;
  readonly line: number | null;
  readonly message: string;
  readonly task: string | null;
}

/** What may be written into a plan: the state of a task, or what an agent was allowed to add or to word anew. */
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

/** Which tasks somebody is interested in; what is null or empty admits all. */
export const TaskFilter = z.strictObject({
  story: z.string().nullable(),
  milestone: z.string().nullable(),
  tags: z.array(z.string()),
});
export type TaskFilter = Readonly<z.infer<typeof TaskFilter>>;

/** Why there is nothing to do, told by the plan and its registers, never by prose. */
export const NothingReason = z.enum(['all-complete', 'all-blocked', 'all-claimed', 'none-match', 'empty']);
export type NothingReason = z.infer<typeof NothingReason>;
