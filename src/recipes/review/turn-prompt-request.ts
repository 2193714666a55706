import type { TurnAsked } from '../../journal/effects/effect.ts';
import type { StoryPlan } from '../../journal/words/story.ts';

export interface TurnPromptRequest {
  /** The operator's `ralph/prompt.md`, or ours. */
  readonly template: string;
  readonly turn: TurnAsked;
  readonly iteration: number;
  /** 0 means no limit. */
  readonly maximum: number;
  /** The folder and the list in it, both from the top of the work tree. */
  readonly spec: { readonly folder: string; readonly plan: string; readonly cap: number; readonly skipReview: boolean };
  /** The commands that prove it. */
  readonly plan: Pick<StoryPlan, 'verifyCommands'>;
}
