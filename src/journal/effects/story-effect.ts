import * as z from '../../kit/pure/shape.ts';
import { StoryMode, StoryPlan, Verdict } from '../words/story.ts';

const Iteration = z.number().int().nonnegative();
const common = { key: z.string(), iteration: Iteration, attempt: z.number().int().nonnegative() };

/** Reads the stories and the branch while no agent runs: any difference from what the loop knows was made by a person. */
export const LookAtStories = z.strictObject({ kind: z.literal('look-at-stories'), ...common, truth: StoryPlan.nullable() });
export type LookAtStories = Readonly<z.infer<typeof LookAtStories>>;

/** Runs after every attempt: accepts what the agent may write into `tasks.json`, reverts everything else it may not change, and commits what it left. */
export const SettleStories = z.strictObject({
  kind: z.literal('settle-stories'),
  ...common,
  mode: StoryMode,
  story: z.string(),
  /** What the loop knows. Edits are judged by this alone. */
  truth: StoryPlan,
  /** The branch and the working copy before the agent started. */
  head: z.string(),
  tree: z.string(),
  /** Whether the attempt ended well. Only then does the agent's report about the story count. */
  counts: z.boolean(),
  /** The reviewer's verdict; absent: there is none, or this is not a review. */
  review: Verdict.optional(),
  /** A reviewer may change nothing: every change is reverted, also committed ones. */
  undo_all: z.boolean(),
});
export type SettleStories = Readonly<z.infer<typeof SettleStories>>;

/** Writes the stories as the loop knows them, and commits the file if it differs from the agent's commit. */
export const RecordStories = z.strictObject({
  kind: z.literal('record-stories'),
  ...common,
  plan: StoryPlan,
  /** Whether this moves a story, and whether it is an approval at the review cap. */
  moved: z.boolean(),
  at_cap: z.boolean(),
  /** Whether the reviewer could have run code of the tree. */
  weak: z.boolean().optional(),
  /** What is added to `progress.txt`. */
  progress: z.string().optional(),
  message: z.string(),
});
export type RecordStories = Readonly<z.infer<typeof RecordStories>>;
