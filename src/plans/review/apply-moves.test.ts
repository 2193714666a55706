import { describe, expect, it } from 'vitest';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { Story, StoryMove } from '../../journal/words/story.ts';
import { applyMoves, needsProof } from './apply-moves.ts';

const move = (to: StoryMove['to'], feedback = ''): StoryMove => ({ story: 'A', to, feedback, notes: '', weak: false });
const green = { cap: 5, skipReview: false, green: true, red: '' };
const red = { ...green, green: false, red: 'npm test exited with 1' };
const B = story('B', { reviewStatus: 'needs_review' });
const planWith = (fields: Partial<Story>) => storyPlan(story('A', fields), B);
const waiting = (reviewCount = 0) => planWith({ reviewStatus: 'needs_review', reviewCount, notes: 'n' });

function becomes(fields: Partial<Story>, moves: readonly StoryMove[], how = green) {
  const { plan, atCap, applied } = applyMoves(planWith(fields), moves, how);
  const { passes, reviewStatus, reviewCount, reviewFeedback, notes } = plan.userStories[0] ?? story('gone');
  expect(plan.userStories[1]).toBe(B);
  return { passes, reviewStatus, reviewCount, reviewFeedback, notes, atCap, applied };
}

describe('an implemented story', () => {
  it('waits for its review once the gates are green', () => {
    expect(becomes({}, [move('implemented')])).toMatchObject({ passes: false, reviewStatus: 'needs_review', reviewCount: 0, applied: true });
  });

  it('waits for review again, with the feedback cleared and the same review count', () => {
    const fields = { reviewStatus: 'changes_requested', reviewFeedback: 'Mend it', reviewCount: 2 } as const;
    expect(becomes(fields, [move('implemented')])).toMatchObject({ reviewStatus: 'needs_review', reviewFeedback: '', reviewCount: 2 });
  });

  it('does not move while the gates are red', () => {
    expect(applyMoves(storyPlan(story('A')), [move('implemented')], red)).toEqual({ plan: storyPlan(story('A')), atCap: null, applied: false });
  });

  it('passes where there are no reviews, with a note', () => {
    const became = becomes({}, [move('implemented')], { ...green, skipReview: true });
    expect(became).toMatchObject({ passes: true, reviewStatus: null, reviewCount: 0, reviewFeedback: '', applied: true });
    expect(became.notes).toMatch(/^.+$/);
  });
});

describe('a verdict', () => {
  it('approves a story', () => {
    expect(applyMoves(waiting(), [move('approved')], green).plan.userStories[0]).toEqual(approved('A', { reviewCount: 1, notes: 'n' }));
  });

  it('writes a note where there is none', () => {
    expect(becomes({ reviewStatus: 'needs_review' }, [move('approved')]).notes).toMatch(/^.+$/);
  });

  it('sends a story back', () => {
    const expected = { passes: false, reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'No test', atCap: null, applied: true };
    expect(becomes({ reviewStatus: 'needs_review' }, [move('changes_requested', 'No test')])).toMatchObject(expected);
  });

  it('approves nothing while the gates are red, and says what was red', () => {
    expect(becomes({ reviewStatus: 'needs_review' }, [move('approved', 'Nice')], red)).toMatchObject({
      passes: false,
      reviewStatus: 'changes_requested',
      reviewCount: 1,
      reviewFeedback: "Nice\n\nThe review approved it, but the loop's own checks are red: npm test exited with 1. Make them green.",
    });
  });

  it('has no effect on a story that does not wait for one, so that none counts twice', () => {
    for (const fields of [{}, { reviewStatus: 'changes_requested', reviewFeedback: 'x' } as const, approved('A')]) {
      expect(becomes(fields, [move('approved')]).applied).toBe(false);
    }
    const once = applyMoves(waiting(), [move('changes_requested', 'x')], green);
    expect(applyMoves(once.plan, [move('changes_requested', 'x')], green).applied).toBe(false);
    expect(becomes(approved('A'), [move('implemented')]).applied).toBe(false);
  });

  it('has no effect on a missing story, or on two stories', () => {
    expect(applyMoves(waiting(), [], green).applied).toBe(false);
    expect(applyMoves(waiting(), [{ ...move('approved'), story: 'nobody' }], green).applied).toBe(false);
    expect(applyMoves(waiting(), [move('approved'), { ...move('approved'), story: 'B' }], green).applied).toBe(false);
  });
});

describe('the last review', () => {
  const last = { reviewStatus: 'needs_review', reviewCount: 4 } as const;

  it('approves the story it rejects, and notes the remaining findings', () => {
    const expected = { passes: true, reviewStatus: 'approved', reviewCount: 5, reviewFeedback: '[AUTO-APPROVED AT CAP] No test', atCap: 'A' };
    expect(becomes(last, [move('changes_requested', 'No test')])).toMatchObject(expected);
    expect(becomes(last, [move('approved', '[AUTO-APPROVED AT CAP]  No test')])).toMatchObject(expected);
  });

  it('is the first one where the cap is 1', () => {
    const how = { ...green, cap: 1 };
    expect(becomes({ reviewStatus: 'needs_review' }, [move('changes_requested', 'No test')], how)).toMatchObject({ passes: true, reviewCount: 1, atCap: 'A' });
  });

  it('approves without a note when it approves', () => {
    expect(becomes(last, [move('approved')])).toMatchObject({ reviewFeedback: '', atCap: null });
  });

  it('approves nothing while the gates are red, and the count stays at the cap', () => {
    const rejected = becomes(last, [move('changes_requested', 'No test')], red);
    expect(rejected).toMatchObject({ passes: false, reviewStatus: 'changes_requested', reviewCount: 5, atCap: null });
    expect(rejected.reviewFeedback).toBe("No test\n\nThe loop's own checks are red as well: npm test exited with 1.");
    expect(becomes({ ...last, reviewCount: 5 }, [move('approved')], red)).toMatchObject({ reviewStatus: 'changes_requested', reviewCount: 5 });
    expect(becomes({ ...last, reviewCount: 5 }, [move('changes_requested', 'x')])).toMatchObject({ passes: true, reviewCount: 5, atCap: 'A' });
  });

  it('does not lower a count that a person has set above the cap', () => {
    expect(becomes({ ...last, reviewCount: 6 }, [move('approved')]).reviewCount).toBe(6);
  });

  it('leaves a note even if nobody gave a reason', () => {
    expect(becomes(last, [move('changes_requested', ' ')], { ...red, red: '' }).reviewFeedback).toMatch(/without a reason/);
    expect(becomes(last, [move('changes_requested', ' ')]).reviewFeedback).toBe('[AUTO-APPROVED AT CAP]');
  });
});

describe('several reviewers', () => {
  const first = { reviewStatus: 'needs_review' } as const;

  it('approve together, and count once', () => {
    expect(becomes(first, [move('approved', 'Nice'), move('approved')])).toMatchObject({ passes: true, reviewCount: 1, reviewFeedback: 'Reviewer 1: Nice' });
  });

  it('send the story back if one of them does, with the words of those who did', () => {
    const moves = [move('approved', 'Nice'), move('changes_requested', 'No test'), move('changes_requested', 'No docs')];
    expect(becomes(first, moves)).toMatchObject({
      reviewStatus: 'changes_requested',
      reviewCount: 1,
      reviewFeedback: 'Reviewer 2: No test\n\nReviewer 3: No docs',
    });
  });

  it('leave one note at the cap', () => {
    const moves = [move('approved', '[AUTO-APPROVED AT CAP] No test'), move('approved', '[AUTO-APPROVED AT CAP] No docs')];
    expect(becomes({ ...first, reviewCount: 4 }, moves)).toMatchObject({
      reviewFeedback: '[AUTO-APPROVED AT CAP] Reviewer 1: No test\n\nReviewer 2: No docs',
      atCap: 'A',
    });
  });
});

describe('the gates', () => {
  it.each<[string, readonly StoryMove[], number, boolean]>([
    ['asked for what is implemented', [move('implemented')], 0, true],
    ['asked for an approval', [move('approved')], 0, true],
    ['asked for the last rejection', [move('changes_requested', 'x')], 4, true],
    ['not asked for a rejection', [move('changes_requested', 'x')], 0, false],
    ['not asked where one of two rejects', [move('approved'), move('changes_requested', 'x')], 0, false],
    ['not asked for nothing', [], 0, false],
  ])('are %s', (_, moves, count, expected) => {
    expect(needsProof(waiting(count), moves, green)).toBe(expected);
  });
});
