import type { Story, StoryMove, Verdict } from '../../journal/words/story.ts';
import { isLastReview, saysAtCap, withoutAtCap } from './turn.ts';

/** The move that a verdict causes for the story under review; null: none. An approval "at the cap" before the last review sends the story back. */
export function moveOfVerdict({ decision, feedback, notes, weak }: Verdict, { id, reviewStatus, reviewCount }: Story, cap: number): StoryMove | null {
  if (reviewStatus !== 'needs_review') return null;
  const said = { story: id, notes, weak };
  if (decision === 'changes_requested') return { ...said, to: decision, feedback: withoutAtCap(feedback) };
  if (!saysAtCap(feedback) || isLastReview(reviewCount, cap)) return { ...said, to: decision, feedback };
  const left = withoutAtCap(feedback);
  return left === '' ? null : { ...said, to: 'changes_requested', feedback: left };
}
