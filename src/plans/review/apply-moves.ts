import type { Story, StoryMove, StoryPlan } from '../../journal/words/story.ts';
import { AT_CAP, isLastReview, type Rules, saysAtCap, withoutAtCap } from './turn.ts';

/** `red`: one line on what was red. */
export interface Proof extends Rules {
  readonly green: boolean;
  readonly red: string;
}

export interface AppliedMoves {
  readonly plan: StoryPlan;
  /** The story that was approved at the cap although its last review found something. */
  readonly atCap: string | null;
  /** Whether the plan differs from before. */
  readonly applied: boolean;
}

/** Applies the moves after the gates have run. Several moves are several reviewers of one story: it is approved if all approve, and counts as reviewed once. */
export function applyMoves(plan: StoryPlan, moves: readonly StoryMove[], how: Proof): AppliedMoves {
  const target = plan.userStories.find(({ id }) => id === moves[0]?.story);
  const becomes = target === undefined ? null : moved(target, moves, how);
  if (target === undefined || becomes === null) return { plan, atCap: null, applied: false };
  const story = withNotes({ ...target, ...becomes }, how);
  const userStories = plan.userStories.map((each) => (each === target ? story : each));
  const isAtCap = becomes.passes === true && saysAtCap(becomes.reviewFeedback ?? '');
  return { plan: { ...plan, userStories }, atCap: isAtCap ? target.id : null, applied: true };
}

/** Whether any of these moves counts only if the gates are green. The gates run for nothing else. */
export function needsProof(plan: StoryPlan, moves: readonly StoryMove[], { cap }: Rules): boolean {
  const target = plan.userStories.find(({ id }) => id === moves[0]?.story);
  if (target === undefined) return false;
  return moves.every(({ to }) => to !== 'changes_requested') || isLastReview(target.reviewCount, cap);
}

type MoveResult = Partial<Pick<Story, 'passes' | 'reviewStatus' | 'reviewCount' | 'reviewFeedback'>>;

/** Null: nothing changes. A move from the wrong state has no effect, so that none counts twice. */
function moved(story: Story, moves: readonly StoryMove[], how: Proof): MoveResult | null {
  if (moves.some(({ story: other }) => other !== story.id)) return null;
  const isImplemented = moves.every(({ to }) => to === 'implemented');
  if (isImplemented) return how.green ? implemented(story, how.skipReview) : null;
  if (how.skipReview || story.reviewStatus !== 'needs_review' || moves.some(({ to }) => to === 'implemented')) return null;
  return reviewed(story, moves, how);
}

function implemented({ passes, reviewStatus }: Story, skipReview: boolean): MoveResult | null {
  if (passes) return null;
  if (skipReview) return { passes: true };
  return reviewStatus === null || reviewStatus === 'changes_requested' ? { reviewStatus: 'needs_review', reviewFeedback: '' } : null;
}

/** The last review never sends a story back, but a story with red gates is never approved: then the count stays at the cap. */
function reviewed({ reviewCount: count }: Story, moves: readonly StoryMove[], { cap, green, red }: Proof): MoveResult {
  const reviewCount = Math.max(count, Math.min(count + 1, cap));
  const isRejected = moves.some(({ to }) => to === 'changes_requested');
  const said = joined(moves, isRejected ? 'changes_requested' : 'approved');
  if (green && (!isRejected || isLastReview(count, cap))) {
    const isNoted = isRejected || moves.some(({ feedback }) => saysAtCap(feedback));
    return { passes: true, reviewStatus: 'approved', reviewCount, reviewFeedback: isNoted ? `${AT_CAP} ${said}`.trimEnd() : said };
  }
  const gates = isRejected ? redToo(red) : `The review approved it, but the loop's own checks are red: ${red}. Make them green.`;
  const reviewFeedback = [said, gates].filter((text) => text !== '').join('\n\n');
  return { passes: false, reviewStatus: 'changes_requested', reviewCount, reviewFeedback: reviewFeedback === '' ? NO_REASON : reviewFeedback };
}

const NO_REASON = 'The review rejected it without a reason. Check every acceptance criterion again.';
const redToo = (red: string) => (red === '' ? '' : `The loop's own checks are red as well: ${red}.`);

function joined(moves: readonly StoryMove[], to: StoryMove['to']): string {
  const texts = moves.map(({ feedback }, index) => {
    const text = saysAtCap(feedback) ? withoutAtCap(feedback) : feedback;
    return text.trim() !== '' && moves.length > 1 ? `Reviewer ${index + 1}: ${text}` : text;
  });
  return texts.filter((text, index) => moves[index]?.to === to && text.trim() !== '').join('\n\n');
}

/** A story that passes has notes, if only one line. */
function withNotes(story: Story, { skipReview }: Rules): Story {
  if (!story.passes || story.notes.trim() !== '') return story;
  const notes = skipReview ? 'Implemented; the verify commands were green.' : `Approved in review ${story.reviewCount}; the verify commands were green.`;
  return { ...story, notes };
}
