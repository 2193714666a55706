import { describe, expect, it } from 'vitest';
import { story } from '../../../test/support/stories-spec.ts';
import type { Verdict } from '../../journal/words/story.ts';
import { moveOfVerdict } from './turn.ts';

const waiting = story('A', { reviewStatus: 'needs_review', reviewCount: 1 });
const said = (decision: Verdict['decision'], feedback = ''): Verdict => ({ decision, feedback, notes: 'n', weak: true });

describe('a verdict', () => {
  it('is about the story under review, and names the reviewer', () => {
    expect(moveOfVerdict(said('approved'), waiting, 5)).toEqual({ story: 'A', to: 'approved', feedback: '', notes: 'n', weak: true });
    expect(moveOfVerdict(said('changes_requested', 'No test'), waiting, 5)).toEqual({
      story: 'A',
      to: 'changes_requested',
      feedback: 'No test',
      notes: 'n',
      weak: true,
    });
  });

  it.each([null, 'changes_requested', 'approved'] as const)('has no effect on a story that does not wait for one: %s', (reviewStatus) => {
    expect(moveOfVerdict(said('approved'), { ...waiting, reviewStatus }, 5)).toBeNull();
  });

  it('that mentions the cap before the last review sends the story back', () => {
    expect(moveOfVerdict(said('approved', '[AUTO-APPROVED AT CAP] No test'), waiting, 5)).toMatchObject({ to: 'changes_requested', feedback: 'No test' });
    expect(moveOfVerdict(said('approved', '[AUTO-APPROVED AT CAP]'), waiting, 5)).toBeNull();
    expect(moveOfVerdict(said('approved', '[AUTO-APPROVED AT CAP] No test'), waiting, 2)).toMatchObject({ to: 'approved' });
    expect(moveOfVerdict(said('changes_requested', '[AUTO-APPROVED AT CAP] No test'), waiting, 5)).toMatchObject({ feedback: 'No test' });
  });
});
