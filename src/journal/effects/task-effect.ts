import * as z from '../../kit/pure/shape.ts';
import { NewBusMessage } from '../messages.ts';

/** 0: the run as a whole, before the first iteration or after the last. */
const Iteration = z.number().int().nonnegative();
const Attempt = z.number().int().nonnegative();

/** Reads the task folder of a root agent. Only what is there now counts, not what was there while the agent ran. */
export const LookAtTask = z.strictObject({
  kind: z.literal('look-at-task'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** The number of the life that is about to begin; 0: a life has just ended. */
  before: Iteration,
  /** Whether an agent has run since the bus mark was set. Only then do its requests on the bus count. */
  after_an_attempt: z.boolean(),
  /** The last message on the task's bus when the life began: only later ones belong to it. Null: there was none. */
  since: z.string().nullable(),
});
export type LookAtTask = Readonly<z.infer<typeof LookAtTask>>;

/** Renames a DONE that the checks do not confirm. */
export const RefuseDone = z.strictObject({
  kind: z.literal('refuse-done'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** The how manieth refusal this is. */
  number: z.number().int().positive(),
});
export type RefuseDone = Readonly<z.infer<typeof RefuseDone>>;

/** The settings of a requested child. Null means: as its parent has it. */
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

/** Starts a child run, outside the agent's process tree, so that Ralph can see it, wait for it and end it. Done once the child has registered. */
export const StartChild = z.strictObject({ kind: z.literal('start-child'), key: z.string(), iteration: Iteration, attempt: Attempt, child: ChildRequest });
export type StartChild = Readonly<z.infer<typeof StartChild>>;

/** Ends child runs, with everything they started. */
export const EndChildren = z.strictObject({
  kind: z.literal('end-children'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  runs: z.array(z.string()).min(1),
});
export type EndChildren = Readonly<z.infer<typeof EndChildren>>;

/** Posts one message to the bus exactly once, even after crashes: its key is in the message, so it can be found again. */
export const Post = z.strictObject({
  kind: z.literal('post'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  bus: z.enum(['task', 'project']),
  message: NewBusMessage,
});
export type Post = Readonly<z.infer<typeof Post>>;
