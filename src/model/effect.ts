import * as z from 'zod';
import { AttemptRole } from './attempt-role.ts';
import { NewBusMessage } from './bus-message.ts';
import { PlanTask } from './plan.ts';
import { Receipt } from './receipt.ts';
import { GateSpec } from './run-settings.ts';
import { BringBase, CloseWorkspace, Merge, OpenWorkspace, ReleaseTask, SettlePlan, TakeTask } from './work-effect.ts';

/** 0: of the run as a whole, before the first iteration or after the last. */
const Iteration = z.number().int().nonnegative();
const Attempt = z.number().int().nonnegative();
/** Epoch ms at which the time of the whole run is up; null: it has no end. */
const Until = z.number().nullable().default(null);

/** What a red gate says to the next prompt; already cut to size, so that nothing later reads a file an agent could edit. */
export const Failure = z.strictObject({
  action: z.enum(['APPEND', 'PREPEND', 'REPLACE']),
  message: z.string(),
  /** Which check it was, where the prompt gives each its own heading (seed 004). */
  check: z.string().default(''),
});
export type Failure = Readonly<z.infer<typeof Failure>>;

/** All that a fresh agent is told of the iterations before it (seed 004). */
export const CleanContext = z.strictObject({
  /** The tree at the start of the run, to show what has changed since; null where git cannot tell. */
  since: z.string().nullable(),
  /** How the agent before it came to nothing. */
  error: z.string(),
  progress: z.string(),
  /** The checks that were red before any agent touched anything. */
  red_at_start: z.array(z.string()),
});
export type CleanContext = Readonly<z.infer<typeof CleanContext>>;

export const RunAgent = z.strictObject({
  kind: z.literal('run-agent'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  role: AttemptRole,
  /** What the prompt begins with, where that is not the operator's own text: a review's, or the question for a commit message. */
  prompt: z.string().nullable().default(null),
  /** The name of the review. */
  about: z.string().default(''),
  failures: z.array(Failure),
  /** The number the last iteration may have, for the prompt's count; 0 means no limit. */
  maximum: z.number().int().nonnegative(),
  /** What a clean context is made of beside the task and the failures; null: the prompt is the operator's own. */
  context: CleanContext.nullable().default(null),
  /** How a root agent was before this life; null for its first one, and for every other agent. */
  previous_life: z.strictObject({ iteration: Iteration, attempt: Attempt }).nullable().default(null),
  /** Where it works, if not where the run does. */
  cwd: z.string().optional(),
  /** The task of a plan it works on, and what the one who had it before it left. */
  work: z
    .strictObject({
      task: PlanTask,
      n: z.number().int().positive(),
      feedback: z.string(),
      /** Whether the branch has what an earlier holder has done. */
      goes_on: z.boolean(),
      prompt: z.string().nullable(),
    })
    .optional(),
  until: Until,
  /** What is left of the budget, for agents that can keep to it. */
  budget_usd: z.number().nullable().default(null),
});
export type RunAgent = Readonly<z.infer<typeof RunAgent>>;

export const RunGates = z.strictObject({
  kind: z.literal('run-gates'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  gates: z.array(GateSpec),
  /** Whether the fact must name the trees before and after: for a claim, and while a change is asked for and was not seen. */
  name_tree: z.boolean(),
  /** Whether that tree is to be committed if all is green: its objects are then kept in the repository. */
  keep_tree: z.boolean().default(false),
  /** Stands in the names of the logs, so that later gates of an iteration never write over earlier ones. */
  phase: z.string().default(''),
  /** What neither agents nor gates may touch: these paths are afterwards as they are in the tree. Nobody is blamed for what a gate wrote there. */
  protect: z
    .strictObject({ tree: z.string(), paths: z.array(z.string()) })
    .nullable()
    .default(null),
  /** The tree to check out where they look at a clean one. */
  tree: z.string().nullable().default(null),
  /** Where they run, if not where the run works. */
  cwd: z.string().optional(),
  until: Until,
});
export type RunGates = Readonly<z.infer<typeof RunGates>>;

/** One commit of exactly the tree that the gates were given. Parent and message are known before, so that it can be found again. */
export const Commit = z.strictObject({
  kind: z.literal('commit'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** Its place in the list of SCM tasks. */
  task: z.number().int().nonnegative(),
  /** Null before the first commit of a repository. */
  parent: z.string().nullable(),
  message: z.string().min(1),
  /** What the operator adds to every `commit`. */
  flags: z.array(z.string()),
  tree: z.string(),
  /** What the gates left of it: the only other state of the working copy that is no reason to refuse. */
  tree_after: z.string(),
});
export type Commit = Readonly<z.infer<typeof Commit>>;

/** Any other SCM task: words of a command line, never a shell's. */
export const RunCommand = z.strictObject({
  kind: z.literal('run-command'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  task: z.number().int().nonnegative(),
  argv: z.array(z.string()).min(1),
  /** Whether it may be done again when nobody knows what came of it. */
  repeatable: z.boolean(),
});
export type RunCommand = Readonly<z.infer<typeof RunCommand>>;

/** Puts back what an agent was not allowed to touch. What it had made of it is kept under a ref. */
export const PutBack = z.strictObject({
  kind: z.literal('put-back'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** The tree that is to be restored, in these paths only. */
  tree: z.string(),
  protect: z.array(z.string()),
});
export type PutBack = Readonly<z.infer<typeof PutBack>>;

/** Writes down what proves that the work is done, where neither an agent nor the next run can lose it. */
export const WriteReceipt = z.strictObject({
  kind: z.literal('write-receipt'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  receipt: Receipt,
});
export type WriteReceipt = Readonly<z.infer<typeof WriteReceipt>>;

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

/** Something to do in the world. Journaled whole as an intent before it is done; asking twice by the same key is asking once. */
export const Effect = z.discriminatedUnion('kind', [
  RunAgent,
  RunGates,
  Commit,
  RunCommand,
  PutBack,
  WriteReceipt,
  LookAtTask,
  RefuseDone,
  StartChild,
  EndChildren,
  Post,
  TakeTask,
  OpenWorkspace,
  SettlePlan,
  Merge,
  BringBase,
  ReleaseTask,
  CloseWorkspace,
]);
export type Effect = z.infer<typeof Effect>;

export const attemptId = (effect: { iteration: number; attempt: number }): string => `${effect.iteration}.${effect.attempt}`;
