import * as z from '../../kit/pure/shape.ts';
import { NewBusMessage } from '../messages.ts';

/** 0: of the run as a whole, before the first iteration or after the last. */
const Iteration = z.number().int().nonnegative();
const Attempt = z.number().int().nonnegative();

/** Looks at the task folder of a root agent: what is there now decides, and what was there when the agent still ran does not. */
export const LookAtTask = z.strictObject({
  kind: z.literal('look-at-task'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** The number of the life it is looked at for, before that begins; 0: after one. */
  before: Iteration,
  /** Whether an agent has run since the mark was set: then what it wishes for on the bus counts. */
  after_an_attempt: z.boolean(),
  /** The last message on the task's bus when the life began: only later ones are of it. Null: there was none. */
  since: z.string().nullable(),
});
export type LookAtTask = Readonly<z.infer<typeof LookAtTask>>;

/** Takes a DONE away that the checks do not confirm. It stays beside its place, under another name. */
export const RefuseDone = z.strictObject({
  kind: z.literal('refuse-done'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** The how manieth it is. */
  number: z.number().int().positive(),
});
export type RefuseDone = Readonly<z.infer<typeof RefuseDone>>;

/** What a child is asked for; what is null is as its parent has it. */
export const ChildRequest = z.strictObject({
  run: z.string().min(1),
  parent: z.string().min(1),
  task: z.string().nullable(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  checks: z.array(z.string()),
  cwd: z.string().nullable(),
  idle_ms: z.number().int().nonnegative().nullable(),
  run_ms: z.number().int().nonnegative().nullable(),
  prompt: z.string(),
});
export type ChildRequest = Readonly<z.infer<typeof ChildRequest>>;

/** Starts a run of its own for somebody in this run: outside the agent's process tree, so that it is seen, awaited and ended. Done once the child has registered. */
export const StartChild = z.strictObject({ kind: z.literal('start-child'), key: z.string(), iteration: Iteration, attempt: Attempt, child: ChildRequest });
export type StartChild = Readonly<z.infer<typeof StartChild>>;

/** Ends runs that came from this one, with all they started. */
export const EndChildren = z.strictObject({
  kind: z.literal('end-children'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  runs: z.array(z.string()).min(1),
});
export type EndChildren = Readonly<z.infer<typeof EndChildren>>;

/** One message that must be on the bus once, however often we die: its key is in the message, where it is found again. */
export const Post = z.strictObject({
  kind: z.literal('post'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  bus: z.enum(['task', 'project']),
  message: NewBusMessage,
});
export type Post = Readonly<z.infer<typeof Post>>;
