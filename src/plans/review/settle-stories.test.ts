import { describe, expect, it } from 'vitest';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { type PlanForm, settleStories, stopProblems } from './settle-stories.ts';
import type { Turn, WorkMode } from './turn.ts';

const A = story('A', { acceptanceCriteria: ['one', 'two'] });
const B = story('B', { dependsOn: ['A'] });
const C = story('C');
const D = approved('D');
const W = story('W', { reviewStatus: 'needs_review', reviewCount: 1 });
const X = story('X', { reviewStatus: 'needs_review' });
const R = story('R', { reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'Mend it' });
const truth: StoryPlan = { ...storyPlan(A, B, C, D, W, X, R), verifyCommands: ['npm test'] };

const turnOf = (mode: WorkMode, id: string, rules: Partial<Turn> = {}): Turn => ({ mode, story: id, cap: 5, skipReview: false, ...rules });
const implement = turnOf('implement', 'A');
const fix = turnOf('review-fix', 'R');
const skip = turnOf('implement', 'A', { skipReview: true });

const text = (plan: unknown): PlanForm => ({ kind: 'text', text: JSON.stringify(plan) });
const withStories = (...stories: readonly unknown[]) => text({ ...truth, userStories: stories });
const changed = (edits: Readonly<Record<string, Record<string, unknown>>>) => withStories(...truth.userStories.map((each) => ({ ...each, ...edits[each.id] })));
const without = (...ids: readonly string[]) => withStories(...truth.userStories.filter(({ id }) => !ids.includes(id)));
const added = (...stories: readonly unknown[]) => withStories(...truth.userStories, ...stories);
const find = (plan: StoryPlan, id: string) => plan.userStories.find((each) => each.id === id);

/** Whatever was tried, the list is as it was. */
function expectPutBack(form: PlanForm, turn: Turn, ...why: readonly string[]) {
  const { plan, refused } = settleStories(truth, form, turn);
  expect(plan).toEqual(truth);
  for (const text of why) expect(refused.join('\n')).toContain(text);
  expect(refused.length).toBeGreaterThan(0);
  expect(stopProblems(truth, form, turn).length).toBeGreaterThanOrEqual(refused.length);
}

describe('an implement turn', () => {
  it('hands in its story, which then waits for its proof', () => {
    const form = changed({ A: { reviewStatus: 'needs_review', notes: 'Built it' } });
    const settled = settleStories(truth, form, implement);
    expect(settled).toMatchObject({ move: { story: 'A', to: 'implemented', feedback: '' }, refused: [], accepted: ['Story A was changed: notes.'] });
    expect(find(settled.plan, 'A')).toEqual({ ...A, notes: 'Built it' });
    expect(stopProblems(truth, form, implement)).toEqual([]);
  });

  it('may hand in another story that was ready', () => {
    expect(settleStories(truth, changed({ C: { reviewStatus: 'needs_review' } }), implement)).toMatchObject({ move: { story: 'C' }, refused: [] });
  });

  it('may not hand in a story whose dependencies have not passed', () => {
    const form = changed({ B: { reviewStatus: 'needs_review' } });
    expectPutBack(form, implement, 'Story B depends on stories that have not passed');
    expect(settleStories(truth, form, implement).move).toBeNull();
  });

  it('hands in only its own story of two', () => {
    const form = changed({ C: { reviewStatus: 'needs_review' }, A: { reviewStatus: 'needs_review' } });
    for (const [own, other] of ['AC', 'CA'].map((pair) => [...pair])) {
      const { move, refused } = settleStories(truth, form, turnOf('implement', own ?? ''));
      expect(move?.story).toBe(own);
      expect(refused).toEqual([expect.stringMatching(new RegExp(`multiple stories.*Story ${other}`))]);
    }
  });

  it('may end without handing in a story', () => {
    expect(settleStories(truth, text(truth), implement)).toEqual({ plan: truth, move: null, accepted: [], refused: [] });
    expect(stopProblems(truth, text(truth), implement)).toEqual([]);
  });

  it.each<[string, Record<string, Record<string, unknown>>, string]>([
    ['passes=true', { A: { passes: true, notes: '' } }, 'Story A had illegal transition: passes false → true'],
    ['an approval', { A: { passes: true, reviewStatus: 'approved' } }, 'reviewStatus null → approved'],
    ['a count', { A: { reviewCount: 1 } }, 'reviewCount 0 → 1'],
    ['feedback', { R: { reviewFeedback: '' } }, 'Story R had illegal transition: reviewFeedback "Mend it" → ""'],
    ['the verdict on another', { W: { passes: true, reviewStatus: 'approved', reviewCount: 2, notes: '' } }, 'Story W had illegal transition'],
    ['a story that is done', { D: { passes: false, reviewStatus: null } }, 'Story D had illegal transition: passes true → false'],
    ['the notes of what is done', { D: { notes: '' } }, 'Story D has passes=true but empty notes'],
    ['a title', { A: { title: 'Easier' } }, 'The title of story A may not be changed. Put it back to "Title of A"'],
    ['a criterion that is gone', { A: { acceptanceCriteria: ['one'] } }, 'has lost "two"'],
    ['a criterion in other words', { A: { acceptanceCriteria: ['one', 'two, mostly'] } }, 'has lost "two"'],
    ['criteria in another order', { A: { acceptanceCriteria: ['two', 'one'] } }, 'has lost "two"'],
    ['no criteria', { A: { acceptanceCriteria: [] } }, "Story A has a wrong 'acceptanceCriteria'"],
    ['a criterion of what is done', { D: { acceptanceCriteria: ['It works', 'more'] } }, 'Story D has passed with its acceptanceCriteria'],
    ['a dependency that is gone', { B: { dependsOn: [] } }, 'story B no longer depends on A'],
    ['a dependency of what is done', { D: { dependsOn: ['A'] } }, 'Story D has passed'],
    ['a dependency on nobody', { A: { dependsOn: ['nobody'] } }, "Story A dependsOn 'nobody', which is not in the list"],
    ['a dependency on itself', { A: { dependsOn: ['A'] } }, 'in a cycle'],
    ['a cycle', { A: { dependsOn: ['B'] } }, "Story A dependsOn 'B' makes stories depend on each other in a cycle"],
    ['types that are wrong', { A: { priority: '1', notes: 7, passes: 'yes', reviewStatus: 'done', reviewCount: -1 } }, "Story A has a wrong 'reviewStatus'"],
  ])('cannot change %s', (_, edits, why) => {
    expectPutBack(changed(edits), implement, why);
  });

  it.each(['project', 'branchName', 'description', 'verifyCommands'] as const)('cannot change or remove the %s of the list', (field) => {
    expectPutBack(text({ ...truth, [field]: field === 'verifyCommands' ? [] : 'other' }), implement, `'${field}' belongs to the operator`);
    expectPutBack(text({ ...truth, [field]: 7 }), implement, `'${field}' must be`);
    const { [field]: _, ...rest } = truth;
    expectPutBack(text(rest), implement, field);
  });

  it('keeps allowed edits beside refused ones', () => {
    const form = changed({ A: { description: 'Told better', priority: 7, title: 'Easier', passes: true, estimate: 'small' } });
    const { plan, refused } = settleStories(truth, form, implement);
    expect(find(plan, 'A')).toEqual({ ...A, description: 'Told better', priority: 7, estimate: 'small' });
    expect(refused).toHaveLength(2);
  });

  it('still hands in its story when it also claims too much', () => {
    const form = changed({ A: { reviewStatus: 'needs_review', passes: true, reviewCount: 1, reviewFeedback: 'Great work' } });
    const { move, refused } = settleStories(truth, form, implement);
    expect(move).toMatchObject({ story: 'A', to: 'implemented', feedback: '' });
    expect(refused).toHaveLength(3);
  });

  it('may add criteria and dependencies, and reorder the stories', () => {
    const edited = { ...A, acceptanceCriteria: ['zero', 'one', 'two', 'three'], dependsOn: ['C'] };
    const { plan, refused, accepted } = settleStories(truth, withStories(C, edited, B, D, W, X, R), implement);
    expect(refused).toEqual([]);
    expect(plan.userStories).toEqual([C, edited, B, D, W, X, R]);
    expect(accepted).toEqual(['Story A was changed: acceptanceCriteria, dependsOn.', 'The stories are in another order.']);
  });

  it('may split its story, which keeps its id and waits for its parts', () => {
    const parts = [story('A-1'), story('A-2', { dependsOn: ['A-1'] })];
    const { plan, refused } = settleStories(truth, withStories(...parts, { ...A, dependsOn: ['A-1', 'A-2'] }, B, C, D, W, X, R), implement);
    expect(refused).toEqual([]);
    expect(plan.userStories.map(({ id }) => id)).toEqual(['A-1', 'A-2', 'A', 'B', 'C', 'D', 'W', 'X', 'R']);
  });

  it('cannot hand in a story and make it wait for a new one in the same turn', () => {
    const form = withStories({ ...A, dependsOn: ['N'], reviewStatus: 'needs_review' }, B, C, D, W, X, R, story('N'));
    const { move, refused, plan } = settleStories(truth, form, implement);
    expect(move).toBeNull();
    expect(refused).toEqual([expect.stringContaining('Story A depends on stories that have not passed')]);
    expect(find(plan, 'A')?.dependsOn).toEqual(['N']);
  });

  it('removes a cycle from new stories, and keeps the rest of them', () => {
    const news = [
      story('N1', { dependsOn: ['N2', 'A'] }),
      story('N2', { dependsOn: ['N3'] }),
      story('N3', { dependsOn: ['N1'] }),
      story('N4', { dependsOn: ['N1'] }),
    ];
    const { plan, refused } = settleStories(truth, added(...news), implement);
    expect(refused).toHaveLength(3);
    expect(['N1', 'N2', 'N3', 'N4'].map((id) => find(plan, id)?.dependsOn)).toEqual([['A'], [], [], ['N1']]);
  });
});

describe('removed stories', () => {
  it.each(['A', 'B', 'D', 'W', 'R'])('come back: %s', (id) => {
    for (const turn of [implement, fix, skip]) expectPutBack(without(id), turn, `story ${id} is gone`);
  });

  it('come back if all were removed, and the list is not complete', () => {
    for (const turn of [implement, fix, skip]) expectPutBack(withStories(), turn, 'Unfinished stories may be split, never deleted');
  });

  it('come back at their old position', () => {
    const { plan } = settleStories(truth, withStories(R, C, A), implement);
    expect(plan.userStories.map(({ id }) => id)).toEqual(['R', 'C', 'D', 'W', 'X', 'A', 'B']);
  });

  it('come back if their id was changed', () => {
    const { plan, refused } = settleStories(truth, changed({ A: { id: 'A-new' } }), implement);
    expect(find(plan, 'A')).toEqual(A);
    expect(refused).toEqual([expect.stringContaining('story A is gone')]);
  });
});

describe('new stories', () => {
  const turns = [implement, fix, skip];

  it('are accepted in every turn', () => {
    for (const turn of turns) {
      const { plan, accepted } = settleStories(truth, added(story('"N" 🦊')), turn);
      expect(find(plan, '"N" 🦊')).toEqual(story('"N" 🦊'));
      expect(accepted).toEqual(['Story "N" 🦊 was added: Title of "N" 🦊']);
    }
  });

  it.each<[string, Partial<Story>]>([
    ['that is approved', approved('N')],
    ['that is approved without a note', approved('N', { notes: '' })],
    ['that passes', { passes: true, notes: '' }],
    ['that waits for a review', { reviewStatus: 'needs_review' }],
    ['that was reviewed', { reviewCount: 4 }],
    ['that has feedback', { reviewFeedback: 'Approve me' }],
  ])('start clean in every turn: one %s', (_, fields) => {
    for (const turn of turns) {
      const { plan, move, refused } = settleStories(truth, added(story('N', fields)), turn);
      expect(find(plan, 'N')).toEqual(story('N', { notes: fields.notes ?? '' }));
      expect(move).toBeNull();
      expect(refused.join('\n')).toContain('New story N does not start clean');
    }
  });

  it('start clean if their state is invalid', () => {
    const { plan, refused } = settleStories(truth, added({ ...story('N'), reviewCount: -1, passes: 'no' }), implement);
    expect(find(plan, 'N')).toEqual(story('N'));
    expect(refused).toHaveLength(2);
  });

  it.each<[string, unknown]>([
    ['no object', 'N'],
    ['without an id', { ...story('N'), id: undefined }],
    ['with the id of every object', story('hasOwnProperty')],
    ['without a title', { ...story('N'), title: undefined }],
    ['without criteria', story('N', { acceptanceCriteria: [] })],
    ['with a priority in words', { ...story('N'), priority: 'high' }],
  ])('are left out if they are invalid: one %s', (_, entry) => {
    for (const turn of turns) expectPutBack(added(entry), turn);
  });

  it('are left out if their id is taken: the first one stays', () => {
    expectPutBack(added(approved('A')), implement, "Duplicate story ID: 'A'");
    const { plan } = settleStories(truth, added(story('N', { title: 'first' }), story('N', { title: 'second' })), implement);
    expect(plan.userStories.filter(({ id }) => id === 'N').map(({ title }) => title)).toEqual(['first']);
  });
});

describe('an invalid form', () => {
  it.each<[string, PlanForm]>([
    ['missing', { kind: 'missing' }],
    ['a link', { kind: 'refused', why: 'is a symbolic link' }],
    ['half', { kind: 'text', text: JSON.stringify(truth).slice(0, 300) }],
    ['empty', { kind: 'text', text: '' }],
    ['a list', { kind: 'text', text: '[]' }],
    ['without stories', { kind: 'text', text: '{}' }],
    ['with stories that are null', { kind: 'text', text: '{"userStories":null}' }],
    ['too deep', { kind: 'text', text: `{"userStories":${'['.repeat(100_000)}` }],
  ])('changes nothing and is reported once: %s', (_, form) => {
    for (const turn of [implement, fix, skip]) {
      expect(settleStories(truth, form, turn)).toEqual({ plan: truth, move: null, accepted: [], refused: [expect.stringMatching(/^[^\n]+\.$/)] });
      expect(stopProblems(truth, form, turn)).toEqual([expect.stringMatching(/^Task list validation failed: /)]);
    }
  });

  it('sets no prototype', () => {
    const form: PlanForm = { kind: 'text', text: JSON.stringify(truth).replaceAll('{"id"', '{"__proto__":{"passes":true},"id"') };
    expect(settleStories(truth, form, implement)).toEqual({ plan: truth, move: null, accepted: [], refused: [] });
  });
});
