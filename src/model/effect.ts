import * as z from 'zod';
import { AttemptRole } from './attempt-role.ts';
import { GateSpec } from './run-settings.ts';

const Iteration = z.number().int().positive();

/** What a red gate says to the next prompt; already cut to size, so that nothing later reads a file an agent could edit. */
export const Failure = z.strictObject({
  action: z.enum(['APPEND', 'PREPEND', 'REPLACE']),
  message: z.string(),
});
export type Failure = Readonly<z.infer<typeof Failure>>;

export const RunAgent = z.strictObject({
  kind: z.literal('run-agent'),
  key: z.string(),
  iteration: Iteration,
  attempt: z.number().int().positive(),
  role: AttemptRole,
  /** What the prompt begins with, where that is not the operator's own text: a review's, or the question for a commit message. */
  prompt: z.string().nullable().default(null),
  /** The name of the review. */
  about: z.string().default(''),
  failures: z.array(Failure),
  /** The number the last iteration may have, for the prompt's count; 0 means no limit. */
  maximum: z.number().int().nonnegative(),
});
export type RunAgent = Readonly<z.infer<typeof RunAgent>>;

export const RunGates = z.strictObject({
  kind: z.literal('run-gates'),
  key: z.string(),
  iteration: Iteration,
  attempt: z.number().int().positive(),
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  gates: z.array(GateSpec),
  /** Whether the fact must name the trees before and after: for a claim, and while a change is asked for and was not seen. */
  name_tree: z.boolean(),
  /** Whether that tree is to be committed if all is green: its objects are then kept in the repository. */
  keep_tree: z.boolean().default(false),
  /** Stands in the names of the logs, so that later gates of an iteration never write over earlier ones. */
  phase: z.string().default(''),
});
export type RunGates = Readonly<z.infer<typeof RunGates>>;

/** One commit of exactly the tree that the gates were given. Parent and message are known before, so that it can be found again. */
export const Commit = z.strictObject({
  kind: z.literal('commit'),
  key: z.string(),
  iteration: Iteration,
  attempt: z.number().int().positive(),
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
  attempt: z.number().int().positive(),
  task: z.number().int().nonnegative(),
  argv: z.array(z.string()).min(1),
  /** Whether it may be done again when nobody knows what came of it. */
  repeatable: z.boolean(),
});
export type RunCommand = Readonly<z.infer<typeof RunCommand>>;

/** Something to do in the world. Journaled whole as an intent before it is done; asking twice by the same key is asking once. */
export const Effect = z.discriminatedUnion('kind', [RunAgent, RunGates, Commit, RunCommand]);
export type Effect = z.infer<typeof Effect>;

export const attemptId = (effect: { iteration: number; attempt: number }): string => `${effect.iteration}.${effect.attempt}`;
