import { describe, expect, it } from 'vitest';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { Story } from '../../journal/words/story.ts';
import { snapshotOf, transitionProblems } from './transitions.ts';
import type { WorkMode } from './turn.ts';

const A = story('A');
const waiting = story('W', { reviewStatus: 'needs_review', reviewCount: 1 });
const alsoWaiting = story('X', { reviewStatus: 'needs_review' });
const rejected = story('R', { reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'Mend it' });
const done = approved('D');
const before = storyPlan(A, waiting, alsoWaiting, rejected, done);

type Edit = (stories: readonly Story[]) => readonly Story[];
const set =
  (id: string, fields: Partial<Story>): Edit =>
  (stories) =>
    stories.map((each) => (each.id === id ? { ...each, ...fields } : each));
const add =
  (added: Story): Edit =>
  (stories) => [...stories, added];
const drop =
  (...ids: readonly string[]): Edit =>
  (stories) =>
    stories.filter(({ id }) => !ids.includes(id));

function problemsAfter(mode: WorkMode, edits: readonly Edit[], rules = { cap: 5, skipReview: false }): string {
  const after = storyPlan(...edits.reduce((stories, edit) => edit(stories), before.userStories as readonly Story[]));
  return transitionProblems(snapshotOf(before), after, { mode, ...rules }).join('\n');
}

const implement = 'Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story A had illegal transition:';
const fix = 'Review-fix iterations cannot approve stories. Story R must go back to needs_review for re-review. Illegal transition:';

describe('compared with a snapshot of the state', () => {
  it.each<[WorkMode, string, readonly Edit[]]>([
    ['implement', 'a story that is handed in', [set('A', { reviewStatus: 'needs_review' })]],
    ['implement', 'nothing at all', []],
    ['implement', 'a new story', [add(story('N'))]],
    ['implement', 'a new wording', [set('A', { notes: 'x', description: 'y', priority: 9 })]],
    ['review-fix', 'a story that is handed in again', [set('R', { reviewStatus: 'needs_review', reviewFeedback: '' })]],
    ['review-fix', 'nothing at all', []],
  ])('a turn of mode %s may do %s', (mode, _, edits) => {
    expect(problemsAfter(mode, edits)).toBe('');
  });

  it.each<[WorkMode, string, readonly Edit[], string]>([
    ['implement', 'passes', [set('A', { passes: true })], `${implement} passes false → true.`],
    ['implement', 'an approval', [set('A', { reviewStatus: 'approved' })], `${implement} reviewStatus null → approved.`],
    ['implement', 'both, which is valid at rest', [set('A', { reviewStatus: 'approved', passes: true })], `${implement} passes false → true.`],
    ['implement', 'a count', [set('A', { reviewCount: 1 })], `${implement} reviewCount 0 → 1.`],
    [
      'implement',
      'a verdict on another',
      [set('W', { reviewStatus: 'approved', passes: true })],
      'Story W had illegal transition: reviewStatus needs_review → approved.',
    ],
    ['implement', 'a story that is done', [set('D', { passes: false, reviewStatus: null })], 'Story D had illegal transition: passes true → false.'],
    ['implement', 'a new story that passes', [add(approved('N'))], 'New story N does not start clean'],
    ['implement', 'a deletion', [drop('A')], 'Unfinished stories may be split, never deleted: story A is gone'],
    ['implement', 'a deletion of all', [drop('A', 'W', 'X', 'R', 'D')], 'story R is gone'],
    ['implement', 'a deletion of what is done', [drop('D')], 'Finished stories may not be deleted: story D is gone'],
    ['review-fix', 'passes', [set('R', { passes: true })], `${fix} passes false → true.`],
    ['review-fix', 'an approval', [set('R', { reviewStatus: 'approved' })], `${fix} reviewStatus changes_requested → approved.`],
    ['review-fix', 'a count', [set('R', { reviewStatus: 'needs_review', reviewFeedback: '', reviewCount: 2 })], `${fix} reviewCount 1 → 2.`],
    ['review-fix', 'old feedback', [set('R', { reviewStatus: 'needs_review' })], 'Story R goes back to review with its old reviewFeedback'],
    ['review-fix', 'another story', [set('A', { reviewStatus: 'needs_review' })], 'Story A must go back to needs_review'],
  ])('a turn of mode %s may not do %s', (mode, _, edits, text) => {
    expect(problemsAfter(mode, edits)).toContain(text);
  });

  it('an implement turn may hand in one story, not two', () => {
    const second = storyPlan(A, story('B'));
    const after = storyPlan(...second.userStories.map((each) => ({ ...each, reviewStatus: 'needs_review' as const })));
    expect(transitionProblems(snapshotOf(second), after, { mode: 'implement', cap: 5, skipReview: false })).toEqual([
      expect.stringContaining('multiple stories'),
    ]);
  });

  it('only deletions and unclean new stories are refused where there are no reviews', () => {
    const rules = { cap: 5, skipReview: true };
    expect(problemsAfter('implement', [set('A', { passes: true })], rules)).toBe('');
    expect(problemsAfter('implement', [drop('A')], rules)).toContain('never deleted');
    expect(problemsAfter('implement', [add(story('N', { passes: true }))], rules)).toContain('does not start clean');
  });

  it('no property that every object has is taken for a story', () => {
    const after = storyPlan(story('toString', { passes: true }), story('__proto__', { passes: true }));
    const problems = transitionProblems({}, after, { mode: 'implement', cap: 5, skipReview: false });
    expect(problems).toHaveLength(2);
    expect(Object.keys(snapshotOf(after))).toEqual(['toString', '__proto__']);
  });
});
