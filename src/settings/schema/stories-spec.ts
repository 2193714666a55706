import { StoryRange } from '../../journal/words/story.ts';
import * as z from '../../kit/pure/shape.ts';
import { Price } from './price.ts';
import { AgentSpec } from './wall.ts';

const Ms = z.number().int().nonnegative();

/** A list of stories and how they are reviewed (seed 003). */
export const StoriesSpec = z.strictObject({
  /** The top of the work tree, absolute. */
  home: z.string().min(1),
  /** `ralph/`, and `tasks.json` in it, both from the top of the work tree. */
  folder: z.string().min(1),
  plan: z.string().min(1),
  /** The branch all is done on. */
  branch: z.string().min(1),
  skipReview: z.boolean(),
  /** The last review of a story: what it finds wrong is noted, and the story counts. */
  reviewCap: z.number().int().positive(),
  /** How many reviewers are asked each time; all must approve. */
  reviewers: z.number().int().positive(),
  /** Who reviews, if not the agent that implements. */
  reviewAgent: AgentSpec.nullable(),
  /** Whether a story that was approved at the cap makes the exit code 1. */
  failOnCap: z.boolean(),
  /** Whether the process stays while somebody is asked. */
  wait: z.boolean(),
  /** Whether the agent's own hooks ask the loop. */
  hooks: z.boolean(),
  /** How often in a row an agent is kept from stopping. */
  stopBlocks: z.number().int().nonnegative(),
  /** What an earlier run on this plan knows of its stories: the commits that belong to each. */
  carried: z.record(z.string(), z.array(StoryRange)),
  budget: z.strictObject({ costUsd: z.number().positive().nullable(), timeMs: Ms }),
  /** By the name of a model. */
  prices: z.record(z.string(), Price),
});
export type StoriesSpec = Readonly<z.infer<typeof StoriesSpec>>;
