import * as z from '../../kit/pure/shape.ts';
import { Ending } from './attempt.ts';

const Iteration = z.number().int().positive();

export const CommitMade = z.strictObject({
  type: z.literal('commit.made'),
  key: z.string(),
  iteration: Iteration,
  commit: z.string(),
  /** Differs from the requested tree when a commit hook changed it. */
  tree: z.string(),
  message: z.string(),
  /** What the gates saw but a commit of this repository cannot contain, such as changes inside a submodule. */
  left_out: z.array(z.string()),
});
export type CommitMade = Readonly<z.infer<typeof CommitMade>>;

/** changed: the working copy is no longer what the gates saw. no-message: the agent gave none. failed: git or a hook refused, or did not end in time. */
export const CommitRefused = z.strictObject({
  type: z.literal('commit.refused'),
  key: z.string(),
  iteration: Iteration,
  reason: z.enum(['changed', 'no-message', 'failed']),
  detail: z.string(),
  /** The working copy's tree then: a hook may have changed files before it refused. Null when nobody looked. */
  tree: z.string().nullable().default(null),
});
export type CommitRefused = Readonly<z.infer<typeof CommitRefused>>;

export const CommandEnded = z.strictObject({
  type: z.literal('command.ended'),
  key: z.string(),
  iteration: Iteration,
  argv: z.array(z.string()),
  /** The working copy's tree afterwards; null when nobody looked, because it cannot have changed anything. */
  tree: z.string().nullable().default(null),
  /** `lost`: the loop died while it ran, and the result is unknown. */
  ending: Ending,
  /** The most telling line of its output, for people. */
  last_line: z.string(),
  log: z.string(),
  duration_ms: z.number().int().nonnegative(),
});
export type CommandEnded = Readonly<z.infer<typeof CommandEnded>>;
