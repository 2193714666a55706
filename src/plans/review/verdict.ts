import type { Story } from '../../journal/words/story.ts';
import { noFeedback, outOfSync } from './stories-text.ts';
import { AT_CAP, countAfterReview, isLastReview, saysAtCap, storyName, withoutAtCap } from './turn.ts';

/** A story before its review, as far as the review depends on it. */
export type UnderReview = Pick<Story, 'reviewStatus' | 'reviewCount'>;

export interface Verdict {
  readonly to: 'approved' | 'changes_requested' | null;
  readonly feedback: string;
  /** What is wrong with it: of the story at rest, or of how it came about. */
  readonly integrity: readonly string[];
  readonly transition: readonly string[];
  /** What was forgotten: the verdict counts without it. */
  readonly forgotten: readonly string[];
}

const NONE: Verdict = { to: null, feedback: '', integrity: [], transition: [], forgotten: [] };

/** What a reviewer says of the one story that is under review. */
export function verdictOn(was: UnderReview, is: Story, cap: number): Verdict {
  if (was.reviewStatus !== 'needs_review') return { ...NONE, transition: [notWaiting(is.id, was.reviewStatus)] };
  if (is.reviewStatus === 'approved' && is.passes) return withCount(was, is, cap, approval(was, is, cap));
  if (is.reviewStatus === 'approved' || is.passes) return { ...NONE, integrity: outOfSync(is) };
  if (is.reviewStatus === 'changes_requested') return withCount(was, is, cap, rejection(was, is, cap));
  return { ...NONE, transition: [undecided(is.id, countAfterReview(was.reviewCount, cap))] };
}

export function undecided(id: string, reviewCount: number): string {
  return `Review iteration made no decision on story ${storyName(id)}. Set reviewStatus "approved" with passes=true, or "changes_requested" with what must be fixed in reviewFeedback; and reviewCount ${reviewCount}.`;
}

function notWaiting(id: string, status: Story['reviewStatus']): string {
  return illegal(id, `it was not waiting for a review (reviewStatus ${status}). Put it back`);
}

function approval(was: UnderReview, is: Story, cap: number): Verdict {
  if (!saysAtCap(is.reviewFeedback) || isLastReview(was.reviewCount, cap)) return { ...NONE, to: 'approved', feedback: is.reviewFeedback };
  const feedback = withoutAtCap(is.reviewFeedback);
  const early = `${AT_CAP} before the review cap (review ${was.reviewCount + 1} of ${cap})`;
  const instead = 'Set reviewStatus "changes_requested" and passes=false, and write what is left into reviewFeedback';
  return { ...NONE, to: feedback === '' ? null : 'changes_requested', feedback, transition: [illegal(is.id, `${early}. ${instead}`)] };
}

function rejection(was: UnderReview, is: Story, cap: number): Verdict {
  const isMarked = saysAtCap(is.reviewFeedback);
  const feedback = isMarked ? withoutAtCap(is.reviewFeedback) : is.reviewFeedback;
  const integrity = noFeedback({ ...is, reviewFeedback: feedback });
  if (integrity.length > 0) return { ...NONE, integrity };
  const marked = isMarked ? [illegal(is.id, `${AT_CAP} is for approvals. Take it out of reviewFeedback`)] : [];
  const forgotten = isLastReview(was.reviewCount, cap) ? [lastReview(is.id, was.reviewCount + 1, cap)] : marked;
  return { ...NONE, to: 'changes_requested', feedback, forgotten };
}

function lastReview(id: string, review: number, cap: number): string {
  return `Story ${storyName(id)} is at the review cap (review ${review} of ${cap}) and cannot be sent back. Set reviewStatus "approved" and passes=true, and write what is left into reviewFeedback after "${AT_CAP} ".`;
}

/** The loop counts by itself, up to the cap: what was forgotten is asked for, anything else is wrong. */
function withCount(was: UnderReview, is: Story, cap: number, verdict: Verdict): Verdict {
  const next = countAfterReview(was.reviewCount, cap);
  if (is.reviewCount === next || (is.reviewCount === was.reviewCount && was.reviewCount >= cap)) return verdict;
  const text = illegal(is.id, `review must increment reviewCount by 1, but it went ${was.reviewCount} → ${is.reviewCount}. Set it to ${next}`);
  const isForgotten = is.reviewCount === was.reviewCount;
  return isForgotten ? { ...verdict, forgotten: [...verdict.forgotten, text] } : { ...verdict, transition: [...verdict.transition, text] };
}

const illegal = (id: string, details: string) => `Review iteration made illegal transition on story ${storyName(id)}: ${details}.`;
