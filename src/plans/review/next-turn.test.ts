import { describe, expect, it } from 'vitest';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { Story } from '../../journal/words/story.ts';
import { budgetEstimate, isComplete, nextTurn } from './next-turn.ts';

const next = (stories: readonly Story[], parked: readonly string[] = [], skipReview = false) =>
  nextTurn(storyPlan(...stories), { skipReview, parked: new Set(parked) });
const turn = (mode: string, id: string) => ({ kind: 'turn', mode, story: id });

const fresh = story('A');
const waiting = story('W', { reviewStatus: 'needs_review' });
const rejected = story('R', { reviewStatus: 'changes_requested', reviewFeedback: 'x' });

describe('the next turn', () => {
  it('fixes before it reviews, and reviews before it begins anything', () => {
    expect(next([fresh, waiting, rejected])).toEqual(turn('review-fix', 'R'));
    expect(next([fresh, waiting])).toEqual(turn('review', 'W'));
    expect(next([fresh])).toEqual(turn('implement', 'A'));
  });

  it('takes the lowest priority number, and the first among equals', () => {
    const of = (fields: Partial<Story>) => [5, 2, 2, 9].map((priority, index) => story(`S${index}`, { ...fields, priority }));
    expect(next(of({}))).toEqual(turn('implement', 'S1'));
    expect(next(of({ reviewStatus: 'needs_review' }))).toEqual(turn('review', 'S1'));
    expect(next(of({ reviewStatus: 'changes_requested', reviewFeedback: 'x' }))).toEqual(turn('review-fix', 'S1'));
  });

  it('waits for the dependencies of a story', () => {
    const after = story('Z', { priority: 0, dependsOn: ['A'] });
    expect(next([after, fresh])).toEqual(turn('implement', 'A'));
    expect(next([after, approved('A')])).toEqual(turn('implement', 'Z'));
  });

  it('leaves out stories that wait for a person', () => {
    expect(next([fresh, waiting, rejected], ['R'])).toEqual(turn('review', 'W'));
    expect(next([fresh, waiting, rejected], ['R', 'W', 'A'])).toEqual({ kind: 'parked' });
    expect(next([fresh, story('B', { dependsOn: ['A'] })], ['A'])).toEqual({ kind: 'parked' });
  });

  it('is none where all stories are done, and none in an empty list', () => {
    expect(next([approved('A')])).toEqual({ kind: 'complete' });
    expect(next([])).toEqual({ kind: 'empty' });
  });

  it('is none where nothing can ever begin, and names the stories', () => {
    expect(next([story('A', { dependsOn: ['B'] }), story('B', { dependsOn: ['A'] })])).toEqual({ kind: 'stuck', why: expect.stringContaining('A, B') });
  });

  it('only implements without reviews', () => {
    expect(next([waiting, rejected], [], true)).toEqual(turn('implement', 'W'));
    expect(next([story('A', { passes: true })], [], true)).toEqual({ kind: 'complete' });
  });
});

describe('a list is complete', () => {
  it('when every story passes and is approved', () => {
    expect(isComplete(storyPlan(approved('A'), approved('B')), false)).toBe(true);
    expect(isComplete(storyPlan(approved('A'), fresh), false)).toBe(false);
    expect(isComplete(storyPlan(story('A', { passes: true })), false)).toBe(false);
    expect(isComplete(storyPlan(story('A', { passes: true })), true)).toBe(true);
  });

  it('never when it is empty', () => {
    expect([isComplete(storyPlan(), false), isComplete(storyPlan(), true)]).toEqual([false, false]);
  });
});

describe('the estimate', () => {
  const five = storyPlan(approved('D'), ...['A', 'B', 'C', 'E', 'F'].map((id) => story(id)));

  it('is three iterations for each open story', () => {
    const text = '5 stories × ~3 iterations each = ~15 iterations needed';
    expect(budgetEstimate(five, { cap: 5, skipReview: false })).toEqual({ open: 5, each: 3, total: 15, text });
  });

  it('is one without reviews, and two where the first review is the last', () => {
    expect(budgetEstimate(five, { cap: 5, skipReview: true }).text).toBe('5 stories × ~1 iteration each = ~5 iterations needed');
    expect(budgetEstimate(storyPlan(fresh), { cap: 1, skipReview: false }).text).toBe('1 story × ~2 iterations each = ~2 iterations needed');
  });
});
