import * as z from '../../kit/pure/shape.ts';
import { RunSettings } from '../../settings/schema/run-settings.ts';
import { Claim, Question } from '../words/claim.ts';
import { Instruction } from '../words/instruction.ts';
import { Writer } from './sitting.ts';

/** The workspace at the start of the run. Files that were dirty then are never counted as an agent's work. */
const Found = z.strictObject({
  head: z.string().nullable(),
  /** Null when git could not write it; `problem` says why, or what had to be left out. */
  tree: z.string().nullable(),
  problem: z.string().nullable(),
  dirty: z.array(z.string()),
  dirty_count: z.number().int(),
});

export const RunStarted = z.strictObject({
  type: z.literal('run.started'),
  run: z.string(),
  ralph: z.string(),
  cwd: z.string(),
  /** Where the operator was when the run started in a worktree of its own; else the same as the workspace. */
  origin: z.string().default(''),
  settings: RunSettings,
  /** The settings files that existed. */
  sources: z.array(z.string()).default([]),
  /** Null when the workspace is no git repository. */
  found: Found.nullable(),
  writer: Writer,
});

export const IterationOpened = z.strictObject({
  type: z.literal('iteration.opened'),
  iteration: z.number().int().positive(),
  lane: z.number().int().positive(),
});

/**
 * green: the agent ended well and every gate is green. red: a gate or a requirement is not met. failed: the agent failed. abandoned: Ralph left before the end.
 */
export const IterationResult = z.enum(['green', 'red', 'failed', 'abandoned']);
export type IterationResult = z.infer<typeof IterationResult>;

export const IterationClosed = z.strictObject({
  type: z.literal('iteration.closed'),
  iteration: z.number().int().positive(),
  result: IterationResult,
  /** The claim made in this iteration, and whether it was accepted: claimed, proven, and with a change where one is required. */
  claim: Claim.nullable(),
  accepted: z.boolean(),
  zero_work: z.boolean(),
});

/** A request of the operator. drain: finish running work, start nothing new. abort: end running work. pause: start nothing until `resume`. */
export const OperatorAsked = z.strictObject({
  type: z.literal('operator.asked'),
  what: z.enum(['drain', 'abort', 'pause', 'go-on']),
  /** SIGINT, SIGTERM, the name of a message, or `caller` for a library's AbortSignal. */
  by: z.string(),
});

/** A person has told the run something that changes what it does next. */
export const OperatorInstructed = z.strictObject({ type: z.literal('operator.instructed'), instruction: Instruction, by: z.string() });
export type OperatorInstructed = Readonly<z.infer<typeof OperatorInstructed>>;

/** Settings files changed during the run. The run keeps the settings it was started with. */
export const SettingsSeen = z.strictObject({ type: z.literal('settings.seen'), files: z.array(z.string()) });

/** Most of the cost limit is spent. Said once in a run. */
export const BudgetNeared = z.strictObject({ type: z.literal('budget.neared'), spent_usd: z.number(), limit_usd: z.number(), estimated: z.boolean() });

/** The specification changed during the run. */
export const SpecSeen = z.strictObject({ type: z.literal('spec.seen'), path: z.string(), obeyed: z.boolean() });

/** A usage limit was announced while an attempt still ran. */
export const LimitSeen = z.strictObject({
  type: z.literal('limit.seen'),
  attempt: z.string(),
  resets_at: z.number().nullable(),
  window: z.string().nullable(),
});

/** The sandbox refused something. Journaled once for each target. */
export const WallRefused = z.strictObject({
  type: z.literal('wall.refused'),
  what: z.enum(['network', 'write', 'planted', 'history']),
  /** `host:port` for the network; for a write, the error as the agent's output has it; for an unexpected change, the path that was reverted. */
  target: z.string(),
  /** The first files of the work tree that stayed as the operator has them, and the ref that keeps an agent's version. Absent: it is about something else. */
  kept: z.strictObject({ ref: z.string(), paths: z.array(z.string()) }).optional(),
});

/** The story or the task of a plan that it is about; null: the run as a whole. */
const story = z.string().nullable();

/** An agent asks a person. What it asks about waits for the answer; everything else goes on. */
export const QuestionAsked = z.strictObject({
  type: z.literal('question.asked'),
  iteration: z.number().int().nonnegative(),
  story,
  question: Question,
  /** `ralph ask` or `ralph bus`, if it came through the door; absent: the agent ended with it. */
  by: z.string().optional(),
  /** The message on the bus of the task that has the same question, so that the answer can name it. */
  msg_id: z.string().optional(),
});
export type QuestionAsked = Readonly<z.infer<typeof QuestionAsked>>;

/** The answer to the newest question about that story or task; null: to the newest of all. */
export const QuestionAnswered = z.strictObject({ type: z.literal('question.answered'), story, answer: z.string(), by: z.string() });
export type QuestionAnswered = Readonly<z.infer<typeof QuestionAnswered>>;
