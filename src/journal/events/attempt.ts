import * as z from '../../kit/pure/shape.ts';
import { AttemptRole, Claim } from '../words/claim.ts';
import { Verdict } from '../words/story.ts';

const Count = z.number().int().nonnegative();

export const Ending = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('exited'), code: z.number().int() }),
  z.strictObject({ kind: z.literal('signalled'), signal: z.string() }),
  z.strictObject({
    kind: z.literal('stopped'),
    cause: z.enum(['idle', 'deadline', 'output', 'lingered', 'cancelled']),
    detail: z.string(),
    code: z.number().int().nullable(),
    signal: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('never-started'), reason: z.enum(['not-found', 'not-executable', 'bad-directory', 'other']), message: z.string() }),
  /** The loop died while it ran. Its output up to then is in its spool. */
  z.strictObject({ kind: z.literal('lost') }),
]);
export type Ending = Readonly<z.infer<typeof Ending>>;

/** ok: it ended well. limited: wait, then retry. empty, lost: retry. failed: this attempt failed. fatal: a retry cannot help. */
export const AttemptVerdict = z.enum(['ok', 'limited', 'empty', 'lost', 'failed', 'fatal']);
export type AttemptVerdict = z.infer<typeof AttemptVerdict>;

export const Spent = z.strictObject({
  input: Count,
  cache_read: Count,
  cache_write: Count,
  output: Count,
  /** Null when the agent does not say. */
  cost_usd: z.number().nonnegative().nullable(),
  /** Whether we computed it from tokens and a price list. */
  estimated: z.boolean().default(false),
});
export type Spent = Readonly<z.infer<typeof Spent>>;

export const AttemptSpawned = z.strictObject({
  type: z.literal('attempt.spawned'),
  attempt: z.string(),
  host: z.string(),
  boot_id: z.string(),
  pid: z.number().int(),
  start_time: z.string(),
  /** The command line, and the beginning of the prompt on stdin. */
  command: z.array(z.string()).default([]),
  prompt_head: z.string().default(''),
});

export const AttemptEnded = z.strictObject({
  type: z.literal('attempt.ended'),
  key: z.string(),
  iteration: z.number().int().positive(),
  attempt: z.number().int().positive(),
  role: AttemptRole.default('work'),
  verdict: AttemptVerdict,
  /** One line for people: why the verdict is not ok. */
  why: z.string(),
  ending: Ending,
  claim: Claim.nullable(),
  /** The commit message it was asked for; null when it gave none, or was asked for something else. */
  message: z.string().nullable().default(null),
  /** The reviewer's verdict about the story; absent: it cannot be read, or this is not a review. */
  review: Verdict.optional(),
  /** The tree it left, for attempts that may change nothing; null when nobody looked, or git cannot tell. */
  tree: z.string().nullable().default(null),
  /** Epoch ms at which the provider says that the limit ends; null when it does not say. */
  limit_resets_at: z.number().nullable(),
  limit_window: z.string().nullable(),
  spent: Spent.nullable(),
  tools: Count,
  tool_errors: Count,
  unknown_lines: Count,
  duration_ms: Count,
  exit_code_if_fatal: z.union([z.literal(2), z.literal(4)]).nullable(),
});
export type AttemptEnded = Readonly<z.infer<typeof AttemptEnded>>;
