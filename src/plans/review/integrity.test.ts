import { describe, expect, it } from 'vitest';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { Story } from '../../journal/words/story.ts';
import { integrityProblems } from './stories-text.ts';

const problemsOf = (fields: Partial<Story>, skipReview = false) =>
  integrityProblems(storyPlan(story('US-001', { notes: 'n', ...fields })), { cap: 5, skipReview });

describe('the state of a story while no agent runs', () => {
  it.each([null, 'needs_review', 'changes_requested'] as const)('is refused where it passes and is %s', (reviewStatus) => {
    expect(problemsOf({ passes: true, reviewStatus, reviewFeedback: 'x' })).toEqual([
      `Story US-001 has passes=true but reviewStatus is '${reviewStatus}', not 'approved'. Only review iterations may approve stories. Set passes back to false or complete the review cycle.`,
    ]);
  });

  it('is valid where it passes and is approved', () => {
    expect(integrityProblems(storyPlan(approved('US-001')), { cap: 5, skipReview: false })).toEqual([]);
  });

  it('is refused where it is approved and does not pass', () => {
    expect(problemsOf({ reviewStatus: 'approved' }).join()).toMatch(/passes=false.*out of sync/);
  });

  it.each(['', ' \n\t'])('is refused where changes are requested without feedback: %j', (reviewFeedback) => {
    expect(problemsOf({ reviewStatus: 'changes_requested', reviewFeedback }).join()).toContain('feedback required');
  });

  it('is refused with more reviews than the cap plus one', () => {
    expect(problemsOf({ reviewCount: 6 })).toEqual([]);
    expect(problemsOf({ reviewCount: 7 }).join()).toContain('reviewCount 7');
  });

  it('is not checked where there are no reviews', () => {
    expect(problemsOf({ passes: true }, true)).toEqual([]);
  });
});
