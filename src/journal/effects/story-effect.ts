import * as z from '../../kit/pure/shape.ts';
import { StoryMode, StoryPlan, Verdict } from '../words/story.ts';

const Iteration = z.number().int().nonnegative();
const common = { key: z.string(), iteration: Iteration, attempt: z.number().int().nonnegative() };

/** Looks at the stories and at the branch while no agent is at work: what differs from what the loop knows is a person's doing. */
export const LookAtStories = z.strictObject({ kind: z.literal('look-at-stories'), ...common, truth: StoryPlan.nullable() });
export type LookAtStories = Readonly<z.infer<typeof LookAtStories>>;

/** After every attempt: takes what the agent may have written into `tasks.json`, puts back all else it may not touch, and commits what it left. */
export const SettleStories = z.strictObject({
  kind: z.literal('settle-stories'),
  ...common,
  mode: StoryMode,
  story: z.string(),
  /** What the loop knows: the only thing an edit is judged by. */
  truth: StoryPlan,
  /** The branch and the working copy before the agent was let in. */
  head: z.string(),
  tree: z.string(),
  /** Whether the attempt ended well: only then its word about the story counts. */
  counts: z.boolean(),
  /** What the reviewer has said; absent: nothing, or it is no review. */
  review: Verdict.optional(),
  /** A review changes nothing: whatever is another than before is put back, also what was committed. */
  undo_all: z.boolean(),
});
export type SettleStories = Readonly<z.infer<typeof SettleStories>>;

/** Writes the stories as the loop knows them, and commits that if it differs from what the agent has committed. */
export const RecordStories = z.strictObject({
  kind: z.literal('record-stories'),
  ...common,
  plan: StoryPlan,
  /** Whether a story has moved by it, and whether that is an approval at the cap. */
  moved: z.boolean(),
  at_cap: z.boolean(),
  /** Whether it is the verdict of a reviewer that could have run code of the tree. */
  weak: z.boolean().optional(),
  /** What is added to `progress.txt`. */
  progress: z.string().optional(),
  message: z.string(),
});
export type RecordStories = Readonly<z.infer<typeof RecordStories>>;
