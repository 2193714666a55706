import type { SettingsFile } from '../../../settings/schema/settings-file.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';

/** What an operator asks of a run on stories. What is not said is as STORIES_DEFAULTS have it. */
export interface StoriesWish {
  /** `tasks.json`, from the top of the work tree. */
  readonly plan: string;
  /** The agent and its limits, as a settings file that lies over the others. */
  readonly over: SettingsFile;
  /** Gates beside those of the settings and of the plan. */
  readonly checks: readonly string[];
  readonly maxIterations: number | null;
  readonly allowDirty: boolean;
  readonly requireProof: boolean;
  /** Whether a branch that is not checked out is checked out, and made where there is none. */
  readonly createBranch: boolean;
  /** The command of another agent for the reviews. */
  readonly reviewAgent: string | null;
  readonly said: Partial<Pick<StoriesSpec, 'skipReview' | 'reviewCap' | 'reviewers' | 'failOnCap' | 'wait' | 'hooks'>>;
  readonly budget: StoriesSpec['budget'];
}

export const STORIES_DEFAULTS = {
  skipReview: false,
  reviewCap: 5,
  reviewers: 1,
  failOnCap: false,
  wait: false,
  hooks: true,
  stopBlocks: 3,
} as const satisfies Partial<StoriesSpec>;

/** Seed 003: about five stories with their reviews. */
export const STORY_ITERATIONS = 15;
