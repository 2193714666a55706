import * as z from '../../kit/pure/shape.ts';
import { StoryMode, StoryMove, StoryPlan } from '../words/story.ts';

const key = z.string();
const iteration = z.number().int().nonnegative();
const Count = z.number().int().nonnegative();
/** Each is one line, for people and for the next prompt. */
const Lines = z.array(z.string());

/** The stories and their branch while no agent runs. */
export const StoriesSeen = z.strictObject({
  type: z.literal('stories.seen'),
  key,
  /** Null: they cannot be read or are not valid; `problem` says why. */
  plan: StoryPlan.nullable(),
  problem: z.string().nullable(),
  /** What a person changed since the loop last wrote them. */
  changes: Lines,
  head: z.string(),
  branch: z.string().nullable(),
  /** The working copy's tree, stored in the repository, and the first paths in which it differs from HEAD. */
  tree: z.string(),
  dirty: z.array(z.string()),
});
export type StoriesSeen = Readonly<z.infer<typeof StoriesSeen>>;

/** What an iteration is about. Its agent starts after this. */
export const TurnBegun = z.strictObject({ type: z.literal('turn.begun'), iteration, mode: StoryMode, story: z.string(), head: z.string(), tree: z.string() });
export type TurnBegun = Readonly<z.infer<typeof TurnBegun>>;

export const StoriesSettled = z.strictObject({
  type: z.literal('stories.settled'),
  key,
  iteration,
  attempt: Count,
  /** What the loop knows, with the agent's accepted additions and rewordings, before any story moves. */
  plan: StoryPlan,
  /** What the agent reports about its story; null: nothing that counts. */
  move: StoryMove.nullable(),
  accepted: Lines,
  refused: Lines,
  /** Files that were reverted, and the ref that keeps the agent's version. */
  undone: z.array(z.string()),
  kept: z.string().nullable(),
  /** The branch's commit afterwards, and the commit that the loop made of the leftovers; null: there were none. */
  head: z.string(),
  tree: z.string(),
  commit: z.string().nullable(),
  /** Why git failed. */
  problem: z.string().nullable(),
});
export type StoriesSettled = Readonly<z.infer<typeof StoriesSettled>>;

/** The file now says what the loop knows. */
export const StoriesRecorded = z.strictObject({
  type: z.literal('stories.recorded'),
  key,
  iteration,
  plan: StoryPlan,
  /** Whether a story moved, and whether that is an approval at the review cap. */
  moved: z.boolean(),
  at_cap: z.boolean(),
  /** Whether the reviewer could have run code of the tree. */
  weak: z.boolean().optional(),
  head: z.string(),
  /** The tree of `head`, for the receipt of a story that has passed. Absent: written by a Ralph without such receipts, or git could not tell. */
  tree: z.string().optional(),
  commit: z.string().nullable(),
  problem: z.string().nullable(),
});
export type StoriesRecorded = Readonly<z.infer<typeof StoriesRecorded>>;

/** The agent wanted to stop and its hook refused; or, after too many refusals, let it stop. */
export const StopRefused = z.strictObject({
  type: z.literal('stop.refused'),
  session: z.string(),
  reason: z.string(),
  /** How many times in a row. */
  blocks: Count,
  let_go: z.boolean(),
});
export type StopRefused = Readonly<z.infer<typeof StopRefused>>;
