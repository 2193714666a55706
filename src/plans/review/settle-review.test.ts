import { describe, expect, it } from 'vitest';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { Story } from '../../journal/words/story.ts';
import { settleStories } from './settle-stories.ts';
import { stopProblems } from './stop-problems.ts';
import type { Turn } from './turn.ts';

const A = story('A');
const W = story('W', { reviewStatus: 'needs_review', reviewCount: 1, notes: 'Built it' });
const X = story('X', { reviewStatus: 'needs_review' });
const R = story('R', { reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'Mend it' });
const truth = storyPlan(A, W, X, R, approved('D'));
const review: Turn = { mode: 'review', story: 'W', cap: 5, skipReview: false };
const fix: Turn = { mode: 'review-fix', story: 'R', cap: 5, skipReview: false };

function settled(edits: Readonly<Record<string, Partial<Story>>>, turn: Turn) {
  const text = JSON.stringify({ ...truth, userStories: truth.userStories.map((each) => ({ ...each, ...edits[each.id] })) });
  return { ...settleStories(truth, { kind: 'text', text }, turn), stops: stopProblems(truth, { kind: 'text', text }, turn) };
}

const approval = { reviewStatus: 'approved', passes: true, reviewCount: 2 } as const;
const rejection = { reviewStatus: 'changes_requested', reviewFeedback: 'No test', reviewCount: 2 } as const;

describe('a review turn', () => {
  it('approves', () => {
    expect(settled({ W: approval }, review)).toEqual({ plan: truth, move: { story: 'W', to: 'approved', feedback: '' }, accepted: [], refused: [], stops: [] });
  });

  it('approves with a word', () => {
    expect(settled({ W: { ...approval, reviewFeedback: 'Nice' } }, review).move).toEqual({ story: 'W', to: 'approved', feedback: 'Nice' });
  });

  it('rejects', () => {
    expect(settled({ W: rejection }, review)).toMatchObject({
      plan: truth,
      move: { story: 'W', to: 'changes_requested', feedback: 'No test' },
      refused: [],
      stops: [],
    });
  });

  it.each<[string, Partial<Story>]>([
    ['approval', approval],
    ['rejection', rejection],
  ])('may forget to count its %s: it is asked to, and the loop counts', (_, verdict) => {
    const { move, refused, stops } = settled({ W: { ...verdict, reviewCount: 1 } }, review);
    expect(move).not.toBeNull();
    expect(refused).toEqual([]);
    expect(stops).toEqual([
      'Transition validation failed: Review iteration made illegal transition on story W: review must increment reviewCount by 1, but it went 1 → 1. Set it to 2.',
    ]);
  });

  it.each([0, 3, 5])('may not count to %i, but its verdict stands', (reviewCount) => {
    const { move, refused } = settled({ W: { ...approval, reviewCount } }, review);
    expect(move?.to).toBe('approved');
    expect(refused).toEqual([expect.stringContaining(`it went 1 → ${reviewCount}. Set it to 2`)]);
  });

  it.each<[string, Partial<Story>, string]>([
    ['nothing', {}, 'made no decision on story W'],
    ['a count alone', { reviewCount: 2 }, 'made no decision on story W'],
    ['a step back', { reviewStatus: null }, 'made no decision on story W'],
    ['an approval that does not pass', { ...approval, passes: false }, 'out of sync'],
    ['passes without an approval', { passes: true }, "reviewStatus is 'needs_review', not 'approved'"],
    ['a rejection that passes', { ...rejection, passes: true }, "reviewStatus is 'changes_requested', not 'approved'"],
    ['a rejection without a word', { ...rejection, reviewFeedback: ' ' }, 'feedback required'],
    ['a rejection with nothing but the prefix', { ...rejection, reviewFeedback: '[AUTO-APPROVED AT CAP]' }, 'feedback required'],
  ])('decides nothing with %s', (_, edit, why) => {
    const { plan, move, refused, stops } = settled({ W: edit }, review);
    expect({ plan, move }).toEqual({ plan: truth, move: null });
    expect(refused).toEqual([expect.stringContaining(why)]);
    expect(stops).toEqual([expect.stringMatching(/^(Review integrity check|Transition validation) failed: /)]);
  });

  it('decides nothing on a story that nobody has handed in', () => {
    const { move, refused } = settled({ A: { reviewStatus: 'approved', passes: true, reviewCount: 1, notes: 'n' } }, review);
    expect(move).toBeNull();
    expect(refused.join('\n')).toContain(
      'Review iteration made illegal transition on story A: passes false → true. Only story W is under review. Put it back.',
    );
    expect(settled({ A: { reviewStatus: 'approved', passes: true, notes: 'n' } }, { ...review, story: 'A' }).move).toBeNull();
  });

  it('decides on its own story alone', () => {
    const { plan, move, refused } = settled({ W: approval, X: { ...approval, reviewCount: 1, notes: 'n' }, R: { reviewFeedback: '' } }, review);
    expect(move?.story).toBe('W');
    expect(plan.userStories.map(({ reviewStatus }) => reviewStatus)).toEqual(truth.userStories.map(({ reviewStatus }) => reviewStatus));
    expect(refused).toHaveLength(4);
  });

  it('decides nothing by deciding on another one that waits', () => {
    const { move, refused } = settled({ X: { ...approval, reviewCount: 1, notes: 'n' } }, review);
    expect(move).toBeNull();
    expect(refused.join('\n')).toContain('made no decision on story W');
  });

  it('is asked for notes with an approval, which stands without them', () => {
    const { move, refused, stops } = settled({ W: { ...approval, notes: '' } }, review);
    expect({ move: move?.to, refused }).toEqual({ move: 'approved', refused: [] });
    expect(stops).toEqual(['Task list validation failed: Story W has passes=true but empty notes. Write into notes what was done.']);
  });
});

describe('the cap', () => {
  const capped = { ...review, cap: 2 };
  const noted = { ...approval, reviewFeedback: '[AUTO-APPROVED AT CAP] No test' };

  it('lets the last review approve with what is left', () => {
    expect(settled({ W: noted }, capped)).toMatchObject({ move: { to: 'approved', feedback: '[AUTO-APPROVED AT CAP] No test' }, refused: [], stops: [] });
  });

  it('makes the last review approve: it is asked to, and the loop does', () => {
    const { move, refused, stops } = settled({ W: rejection }, capped);
    expect({ move: move?.to, refused }).toEqual({ move: 'changes_requested', refused: [] });
    expect(stops).toEqual([expect.stringContaining('Story W is at the review cap (review 2 of 2) and cannot be sent back')]);
  });

  it.each(['[AUTO-APPROVED AT CAP] No test', '  [auto-approved at cap] [AUTO-APPROVED AT CAP]No test'])(
    'cannot be claimed before: %s is a rejection',
    (reviewFeedback) => {
      const { move, refused } = settled({ W: { ...approval, reviewFeedback } }, review);
      expect(move).toEqual({ story: 'W', to: 'changes_requested', feedback: 'No test' });
      expect(refused).toEqual([expect.stringContaining('[AUTO-APPROVED AT CAP] before the review cap (review 2 of 5)')]);
    },
  );

  it('cannot be claimed before with nothing to say', () => {
    expect(settled({ W: { ...approval, reviewFeedback: '[AUTO-APPROVED AT CAP]' } }, review).move).toBeNull();
  });

  it('leaves a plain approval plain', () => {
    expect(settled({ W: approval }, capped)).toMatchObject({ move: { to: 'approved', feedback: '' }, refused: [], stops: [] });
  });
});

describe('a review-fix turn', () => {
  const resubmission = { reviewStatus: 'needs_review', reviewFeedback: '' } as const;

  it('hands its story in again', () => {
    expect(settled({ R: resubmission }, fix)).toEqual({
      plan: truth,
      move: { story: 'R', to: 'implemented', feedback: '' },
      accepted: [],
      refused: [],
      stops: [],
    });
  });

  it.each(['Mend it', 'I mended it'])('is asked to clear the feedback, which the loop does: %s', (reviewFeedback) => {
    const { move, refused, stops } = settled({ R: { reviewStatus: 'needs_review', reviewFeedback } }, fix);
    expect({ move: move?.to, refused }).toEqual({ move: 'implemented', refused: [] });
    expect(stops).toEqual([expect.stringContaining('Story R goes back to review with its old reviewFeedback')]);
  });

  it('may end without anything handed in', () => {
    expect(settled({}, fix)).toMatchObject({ move: null, refused: [], stops: [] });
  });

  it.each<[string, Partial<Story>]>([
    ['passes', { passes: true, notes: 'n' }],
    ['an approval', { reviewStatus: 'approved', passes: true, notes: 'n' }],
    ['a count', { reviewCount: 2 }],
    ['a step back to the start', { reviewStatus: null }],
    ['feedback alone', { reviewFeedback: 'All good' }],
  ])('cannot do %s', (_, edit) => {
    const { plan, move, refused } = settled({ R: edit }, fix);
    expect(plan.userStories.find(({ id }) => id === 'R')).toEqual({ ...R, notes: edit.notes ?? '' });
    expect(move).toBeNull();
    expect(refused.join('\n')).toContain('Story R must go back to needs_review for re-review');
  });

  it('hands in no other story', () => {
    const { move, refused } = settled({ R: resubmission, A: { reviewStatus: 'needs_review' } }, fix);
    expect(move?.story).toBe('R');
    expect(refused).toHaveLength(1);
    expect(settled({ R: resubmission }, { ...fix, story: 'other' })).toMatchObject({ move: null, refused: [expect.anything(), expect.anything()] });
  });
});

describe('a turn without reviews', () => {
  const turn: Turn = { mode: 'implement', story: 'A', cap: 5, skipReview: true };

  it('says that its story passes', () => {
    expect(settled({ A: { passes: true, notes: 'Built it' } }, turn)).toMatchObject({ move: { story: 'A', to: 'implemented' }, refused: [], stops: [] });
  });

  it('says it of one story', () => {
    const { move, refused } = settled({ A: { passes: true, notes: 'n' }, W: { passes: true } }, turn);
    expect(move?.story).toBe('A');
    expect(refused).toEqual([expect.stringContaining('multiple stories')]);
  });

  it.each<[string, Partial<Story>]>([
    ['a status', { reviewStatus: 'needs_review' }],
    ['an approval', { reviewStatus: 'approved' }],
    ['a count', { reviewCount: 1 }],
  ])('does not touch the review: %s', (_, edit) => {
    const { plan, refused } = settled({ A: { ...edit, passes: true, notes: 'n' } }, turn);
    expect(plan.userStories[0]).toEqual({ ...A, notes: 'n' });
    expect(refused).toEqual([expect.stringContaining('There is no review in this run (--skip-review)')]);
  });

  it('is asked for notes', () => {
    expect(settled({ A: { passes: true } }, turn)).toMatchObject({ move: { story: 'A' }, refused: [], stops: [expect.stringContaining('empty notes')] });
  });
});
