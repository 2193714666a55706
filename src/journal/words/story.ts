import * as z from '../../kit/pure/shape.ts';

/** How far the review of a story is; null: it is not implemented yet (seed 003). */
const ReviewStatus = z.enum(['needs_review', 'changes_requested', 'approved']);

/** One story of `tasks.json`, in the words of its file. Unknown fields are kept. */
export const Story = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  description: z.string(),
  acceptanceCriteria: z.array(z.string()),
  /** The lowest number goes first. */
  priority: z.number(),
  passes: z.boolean(),
  reviewStatus: ReviewStatus.nullable(),
  /** How many fresh-context reviews it had, counted by the loop. */
  reviewCount: z.number().int().nonnegative(),
  reviewFeedback: z.string(),
  notes: z.string(),
  dependsOn: z.array(z.string()),
});
export type Story = Readonly<z.infer<typeof Story>>;

/** The whole of `tasks.json`. */
export const StoryPlan = z.looseObject({
  project: z.string(),
  branchName: z.string(),
  description: z.string(),
  verifyCommands: z.array(z.string()),
  userStories: z.array(Story),
});
export type StoryPlan = Readonly<z.infer<typeof StoryPlan>>;

/** What an iteration is for. */
export const StoryMode = z.enum(['implement', 'review', 'review-fix']);
export type StoryMode = z.infer<typeof StoryMode>;

/** What an agent reports about a story. It counts only once the gates are green. */
export const StoryMove = z.strictObject({
  story: z.string(),
  /** implemented: it is ready for review, or passes where nobody reviews. */
  to: z.enum(['implemented', 'approved', 'changes_requested']),
  /** What the reviewer wants changed, or adds to its approval. */
  feedback: z.string(),
  /** The reviewer's notes for later agents. */
  notes: z.string().optional(),
  /** The reviewer could have run code of the tree, so somebody else may have written the verdict. */
  weak: z.boolean().optional(),
});
export type StoryMove = Readonly<z.infer<typeof StoryMove>>;

/** A reviewer's verdict about a story, from its last message. */
export const Verdict = z.strictObject({ decision: z.enum(['approved', 'changes_requested']), feedback: z.string(), notes: z.string(), weak: z.boolean() });
export type Verdict = Readonly<z.infer<typeof Verdict>>;

/** The last result of a verify command. */
export const StoryCheck = z.strictObject({ command: z.string(), green: z.boolean(), output: z.string() });
export type StoryCheck = Readonly<z.infer<typeof StoryCheck>>;

/** Commits that belong to a story: all after `from`, up to `to`. */
export const StoryRange = z.strictObject({ from: z.string(), to: z.string() });
export type StoryRange = Readonly<z.infer<typeof StoryRange>>;

/** What was changed for a story, for an agent that cannot run git. */
export interface StoryChanges {
  /** All diffs, without the folder of the stories. */
  readonly patch: string;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
  /** The current files, as far as they fit. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}
