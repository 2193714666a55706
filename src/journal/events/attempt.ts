import * as z from '../../kit/pure/shape.ts';
import { AttemptRole, Claim } from '../words/claim.ts';
import { Cause } from '../words/outcome.ts';
import { Verdict } from '../words/story.ts';

const Count = z.number().int().nonnegative();

export const Ending = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('exited'), code: z.number().int() }),
  z.strictObject({ kind: z.literal('signalled'), signal: z.string() }),
  z.strictObject({
    kind: z.literal('stopped'),
    cause: z.enum(['idle', 'deadline', 'output', 'lingered', 'cancelled', 'memory', 'processes', 'disk']),
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

/** The local date, the cost so far, and the epoch ms at which the next day begins. */
const DaySpent = z.strictObject({ date: z.string(), usd: z.number().nonnegative(), ends_at: z.number() });
export type DaySpent = Readonly<z.infer<typeof DaySpent>>;

/** The budget of all machines of a fleet, when nothing is left of it. */
const FleetSpent = z.strictObject({ limit_usd: z.number(), spent_usd: z.number() });
export type FleetSpent = Readonly<z.infer<typeof FleetSpent>>;

/** What the agent last said of one window of its account. */
const WindowUse = z.strictObject({
  window: z.string(),
  /** The used share, 1 for all of it. */
  used: z.number().nonnegative(),
  resets_at: z.number().nullable(),
});
export type WindowUse = Readonly<z.infer<typeof WindowUse>>;

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
  /** Absent: it ended well, or the journal is older than causes. */
  cause: Cause.optional(),
  /** It failed at once, before it said, called or changed anything. */
  at_once: z.literal(true).optional(),
  ending: Ending,
  claim: Claim.nullable(),
  /** What it said that is no claim, though a person might take it for one. */
  near_claim: z.string().optional(),
  /** The commit message it was asked for; null when it gave none, or was asked for something else. */
  message: z.string().nullable().default(null),
  /** The reviewer's verdict about the story; absent: it cannot be read, or this is not a review. */
  review: Verdict.optional(),
  /** What the agent said last, in one line; absent: nothing, or the journal is older. Untrusted. */
  last_words: z.string().optional(),
  /** The tree it left, for attempts that may change nothing; null when nobody looked, or git cannot tell. */
  tree: z.string().nullable().default(null),
  /** Epoch ms at which the provider says that the limit ends; null when it does not say. */
  limit_resets_at: z.number().nullable(),
  limit_window: z.string().nullable(),
  /** Added to the time of the reset, so that all runs of an account do not begin in the same second. Absent: nothing. */
  limit_jitter_ms: Count.optional(),
  /** No agent was started: another attempt on this machine has met this limit before. */
  limit_known: z.literal(true).optional(),
  /** How much of its account's windows is used. Absent: it did not say. */
  windows: z.array(WindowUse).optional(),
  /** Which agent it was, if the run has several. */
  agent: z.string().optional(),
  /** What all runs of this machine have cost today, where that is limited. */
  day: DaySpent.optional(),
  /** No agent was started: the workers of the fleet have spent what they may. */
  fleet: FleetSpent.optional(),
  spent: Spent.nullable(),
  tools: Count,
  tool_errors: Count,
  /** The error of its last tool call, if all of them failed. */
  tool_error: z.string().optional(),
  unknown_lines: Count,
  duration_ms: Count,
  exit_code_if_fatal: z.union([z.literal(2), z.literal(4)]).nullable(),
});
export type AttemptEnded = Readonly<z.infer<typeof AttemptEnded>>;
