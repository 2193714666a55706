import * as z from '../../kit/pure/shape.ts';
import { StoryMode, StoryMove, StoryPlan, StoryQuestion } from '../words/story.ts';

const key = z.string();
const iteration = z.number().int().nonnegative();
const Count = z.number().int().nonnegative();
/** Each a line for people and for the next prompt. */
const Lines = z.array(z.string());

/** The stories and their branch as they are while no agent is at work. */
export const StoriesSeen = z.strictObject({
  type: z.literal('stories.seen'),
  key,
  /** Null: they cannot be read, or are not valid; `problem` says why. */
  plan: StoryPlan.nullable(),
  problem: z.string().nullable(),
  /** What a person has changed since the loop wrote them last. */
  changes: Lines,
  head: z.string(),
  branch: z.string().nullable(),
  /** The working copy, kept in the repository, and the first of the paths in which it differs from HEAD. */
  tree: z.string(),
  dirty: z.array(z.string()),
});
export type StoriesSeen = Readonly<z.infer<typeof StoriesSeen>>;

/** What an iteration is about; from here on its agent is let in. */
export const TurnBegun = z.strictObject({ type: z.literal('turn.begun'), iteration, mode: StoryMode, story: z.string(), head: z.string(), tree: z.string() });
export type TurnBegun = Readonly<z.infer<typeof TurnBegun>>;

export const StoriesSettled = z.strictObject({
  type: z.literal('stories.settled'),
  key,
  iteration,
  attempt: Count,
  /** What the loop knows, with what the agent may add and reword, and before any story moves. */
  plan: StoryPlan,
  /** What it says of a story; null: nothing that counts. */
  move: StoryMove.nullable(),
  accepted: Lines,
  refused: Lines,
  /** Files that were put back, and the ref that keeps what the agent had made of them. */
  undone: z.array(z.string()),
  kept: z.string().nullable(),
  /** The branch after it, and the commit the loop made of what was left; null: nothing was. */
  head: z.string(),
  tree: z.string(),
  commit: z.string().nullable(),
  /** What git could not do. */
  problem: z.string().nullable(),
});
export type StoriesSettled = Readonly<z.infer<typeof StoriesSettled>>;

/** The file says what the loop knows. */
export const StoriesRecorded = z.strictObject({
  type: z.literal('stories.recorded'),
  key,
  iteration,
  plan: StoryPlan,
  /** Whether a story has moved, and whether that is an approval at the cap. */
  moved: z.boolean(),
  at_cap: z.boolean(),
  /** Whether a reviewer has said so that could have run code of the tree. */
  weak: z.boolean().optional(),
  head: z.string(),
  commit: z.string().nullable(),
  problem: z.string().nullable(),
});
export type StoriesRecorded = Readonly<z.infer<typeof StoriesRecorded>>;

/** A story waits for a person. */
export const QuestionAsked = z.strictObject({ type: z.literal('question.asked'), iteration, story: z.string(), question: StoryQuestion });
export type QuestionAsked = Readonly<z.infer<typeof QuestionAsked>>;

/** The answer to the newest question about that story; null: about any. */
export const QuestionAnswered = z.strictObject({ type: z.literal('question.answered'), story: z.string().nullable(), answer: z.string(), by: z.string() });
export type QuestionAnswered = Readonly<z.infer<typeof QuestionAnswered>>;

/** The agent wanted to stop, and its hook said no; or, after so many times, let it go. */
export const StopRefused = z.strictObject({
  type: z.literal('stop.refused'),
  session: z.string(),
  reason: z.string(),
  /** The how manieth time in a row. */
  blocks: Count,
  let_go: z.boolean(),
});
export type StopRefused = Readonly<z.infer<typeof StopRefused>>;
