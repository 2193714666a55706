import type { SettingsFile } from '../../../settings/schema/settings-file.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';

/** The options of a run on stories. Omitted ones default to STORIES_DEFAULTS. */
export interface StoriesRequest {
  /** Path of `tasks.json`, relative to the top of the work tree. */
  readonly plan: string;
  /** The agent and its limits, as a settings file that overrides the others. */
  readonly over: SettingsFile;
  /** Gates in addition to those of the settings and of the plan. */
  readonly checks: readonly string[];
  readonly maxIterations: number | null;
  readonly allowDirty: boolean;
  /** Whether to check out the branch of the list, and create it if it is missing. */
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
