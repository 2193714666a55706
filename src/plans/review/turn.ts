import type { StoryMode } from '../../journal/words/story.ts';

/** How a run reviews. */
export interface Rules {
  /** The last review of a story: what it finds wrong is noted, and the story counts. */
  readonly cap: number;
  readonly skipReview: boolean;
}

/** What an agent was let in for. */
export interface Turn extends Rules {
  readonly mode: StoryMode;
  readonly story: string;
}
