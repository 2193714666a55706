import { StoryRange } from '../../journal/words/story.ts';
import * as z from '../../kit/pure/shape.ts';
import { Price } from './price.ts';
import { AgentSpec } from './sandbox-spec.ts';

const Ms = z.number().int().nonnegative();

/** A list of stories and how they are reviewed (seed 003). */
export const StoriesSpec = z.strictObject({
  /** The top of the work tree, absolute. */
  home: z.string().min(1),
  /** `ralph/` and the `tasks.json` in it, both relative to the top of the work tree. */
  folder: z.string().min(1),
  plan: z.string().min(1),
  /** The branch the agents work on. */
  branch: z.string().min(1),
  skipReview: z.boolean(),
  /** The number of the last review of a story: its findings are noted, and the story passes. */
  reviewCap: z.number().int().positive(),
  /** The number of reviewers each time; all must approve. */
  reviewers: z.number().int().positive(),
  /** The reviewing agent; null means the one that implements. */
  reviewAgent: AgentSpec.nullable(),
  /** Whether to exit with code 1 if a story was approved at the cap. */
  failOnCap: z.boolean(),
  /** Whether the process waits for answers instead of exiting. */
  wait: z.boolean(),
  /** Whether the agent's own hooks ask the loop. */
  hooks: z.boolean(),
  /** How often in a row the stop hook may keep an agent from stopping. */
  stopBlocks: z.number().int().nonnegative(),
  /** The commits of each story that an earlier run on this plan has recorded. */
  carried: z.record(z.string(), z.array(StoryRange)),
  budget: z.strictObject({ costUsd: z.number().positive().nullable(), timeMs: Ms }),
  /** By the name of a model. */
  prices: z.record(z.string(), Price),
});
export type StoriesSpec = Readonly<z.infer<typeof StoriesSpec>>;
