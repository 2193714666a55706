import * as z from '../../kit/pure/shape.ts';
import { ChildRequest } from '../effects/task-effect.ts';

/** What is at `<task>/DONE`. Only a regular file is a claim; anything else of that name is an error. */
export const DoneFileState = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('absent') }),
  z.strictObject({ kind: z.literal('file') }),
  z.strictObject({ kind: z.literal('problem'), why: z.string() }),
]);
export type DoneFileState = Readonly<z.infer<typeof DoneFileState>>;

/** An agent asks not to be restarted, because it waits for something outside. */
export const WaitRequest = z.strictObject({ by: z.enum(['exit-code', 'bus', 'marker']), reason: z.string() });
export type WaitRequest = Readonly<z.infer<typeof WaitRequest>>;

/** A task that another one depends on, and why it is not done. */
export const Blocker = z.strictObject({ task: z.string(), why: z.enum(['missing', 'running', 'failed']) });
export type Blocker = Readonly<z.infer<typeof Blocker>>;

/** Run ids. */
const Runs = z.array(z.string());

/** The result of reading the task folder. */
export const TaskSeen = z.strictObject({
  type: z.literal('task.seen'),
  key: z.string(),
  before: z.number().int().nonnegative(),
  done: DoneFileState,
  wait: WaitRequest.nullable(),
  /** The running children. */
  children: Runs,
  blocked_by: z.array(Blocker),
  /** The last message on the task's bus; null: none. */
  bus_mark: z.string().nullable(),
});
export type TaskSeen = Readonly<z.infer<typeof TaskSeen>>;

/** Seen during the run; journaled only when it changes. */
export const DoneSeen = z.strictObject({ type: z.literal('done.seen'), done: DoneFileState });
export const ChildrenSeen = z.strictObject({ type: z.literal('children.seen'), active: Runs });
export const DependenciesSeen = z.strictObject({ type: z.literal('dependencies.seen'), blocked_by: z.array(Blocker) });

export const DoneRefused = z.strictObject({
  type: z.literal('done.refused'),
  key: z.string(),
  /** Its new name; null when somebody had already removed it. */
  renamed: z.string().nullable(),
});
export type DoneRefused = Readonly<z.infer<typeof DoneRefused>>;

/** Somebody in this run asked for a child, through the door. */
export const ChildAsked = z.strictObject({ type: z.literal('child.asked'), child: ChildRequest });

export const ChildStarted = z.strictObject({
  type: z.literal('child.started'),
  key: z.string(),
  run: z.string(),
  host: z.string(),
  boot_id: z.string(),
  pid: z.number().int(),
  start_time: z.string(),
});
export type ChildStarted = Readonly<z.infer<typeof ChildStarted>>;

export const ChildRefused = z.strictObject({ type: z.literal('child.refused'), key: z.string(), run: z.string(), why: z.string() });
export type ChildRefused = Readonly<z.infer<typeof ChildRefused>>;

/** Everything is done except these children; the run waits for them from now on. */
export const ChildrenAwaited = z.strictObject({ type: z.literal('children.awaited'), active: Runs });

/** The time to wait for these children is over. */
export const ChildrenOutlived = z.strictObject({ type: z.literal('children.outlived'), active: Runs });

export const ChildrenEnded = z.strictObject({
  type: z.literal('children.ended'),
  key: z.string(),
  ended: Runs,
  /** The children that could not be ended. */
  left: Runs,
});
export type ChildrenEnded = Readonly<z.infer<typeof ChildrenEnded>>;

export const Posted = z.strictObject({
  type: z.literal('posted'),
  key: z.string(),
  msg_id: z.string().nullable(),
  /** Why it could not be posted. */
  problem: z.string().nullable(),
});
export type Posted = Readonly<z.infer<typeof Posted>>;
