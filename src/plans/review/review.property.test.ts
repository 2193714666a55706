import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { story, storyPlan } from '../../../test/support/stories-spec.ts';
import { type Story, StoryPlan, type Verdict } from '../../journal/words/story.ts';
import { acceptPersonalEdits } from './accept-personal-edits.ts';
import { applyMoves } from './apply-moves.ts';
import type { PlanForm } from './read-form.ts';
import { settleStories, stopProblems } from './settle-stories.ts';
import { integrityProblems, readStories, storiesText } from './stories-text.ts';
import { snapshotOf, transitionProblems } from './transitions.ts';
import { moveOfVerdict, type Turn } from './turn.ts';

const ids = ['A', 'B', 'C', 'D', '"E" 🦊', '__proto__', 'constructor', ''] as const;
const good = fc.constantFrom('A', 'B', 'C', 'D', '"E" 🦊');
const AT_CAP = '[AUTO-APPROVED AT CAP]';
const feedback = fc.constantFrom('', ' ', 'No test', AT_CAP, `${AT_CAP} No test`);
const state = fc.constantFrom<Partial<Story>>(
  {},
  { reviewCount: 2 },
  { reviewStatus: 'needs_review' },
  { reviewStatus: 'needs_review', reviewCount: 1 },
  { reviewStatus: 'needs_review', reviewCount: 3 },
  { reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'No test' },
  { reviewStatus: 'approved', passes: true, reviewCount: 1, notes: 'done' },
);
const words = fc.record({
  priority: fc.integer({ min: 0, max: 3 }),
  notes: fc.constantFrom('', 'n'),
  acceptanceCriteria: fc.constantFrom<string[]>(['a'], ['a', 'b']),
});

/** Any list a run could have. */
const truths = fc.array(fc.tuple(good, state, words, fc.array(good, { maxLength: 2 })), { minLength: 1, maxLength: 5 }).map((drawn) => {
  const once = [...new Map(drawn.map((each) => [each[0], each])).values()];
  const before = (index: number) => new Set(once.slice(0, index).map(([id]) => id));
  const stories = once.map(([id, its, said, needs], index) => story(id, { ...said, ...its, dependsOn: needs.filter((need) => before(index).has(need)) }));
  return storyPlan(...stories);
});

/** Any value for any field of a story, valid and invalid. */
const anyEdit = fc.record(
  {
    id: fc.constantFrom(...ids),
    title: fc.constantFrom<unknown>('Other', 7),
    description: fc.constantFrom<unknown>('Told better', null),
    acceptanceCriteria: fc.constantFrom<unknown>(['a'], ['a', 'b'], ['b', 'a'], ['z', 'a', 'b'], [], 'a'),
    priority: fc.constantFrom<unknown>(0, 9, '1', null),
    passes: fc.constantFrom<unknown>(true, false, 'true'),
    reviewStatus: fc.constantFrom<unknown>(null, 'needs_review', 'changes_requested', 'approved', 'done'),
    reviewCount: fc.constantFrom<unknown>(0, 1, 2, 3, 4, -1, 0.5),
    reviewFeedback: fc.oneof(feedback, fc.constant(null)),
    notes: fc.constantFrom<unknown>('', 'Built it', 3),
    dependsOn: fc.oneof(fc.array(fc.constantFrom(...ids), { maxLength: 3 }), fc.constant(7)),
    extra: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
/** Edits that turns are for, and similar ones. */
const fairEdit = ({ reviewCount }: Story) =>
  fc.oneof(
    fc.constantFrom<Partial<Story>>({}, { reviewStatus: 'needs_review', reviewFeedback: '' }, { reviewStatus: 'needs_review' }, { passes: true, notes: 'n' }),
    fc.tuple(fc.constantFrom(0, 1, 1, 1, 2), feedback, fc.constantFrom('approved', 'changes_requested')).map(
      ([more, reviewFeedback, reviewStatus]): Partial<Story> => ({
        reviewStatus,
        passes: reviewStatus === 'approved',
        notes: 'n',
        reviewCount: reviewCount + more,
        reviewFeedback,
      }),
    ),
  );

const entry = (was: Story) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<unknown[]>([was]) },
    { weight: 3, arbitrary: fairEdit(was).map((edit): unknown[] => [{ ...was, ...edit }]) },
    { weight: 2, arbitrary: anyEdit.map((edit): unknown[] => [{ ...was, ...edit }]) },
    { weight: 1, arbitrary: fc.constant<unknown[]>([]) },
    { weight: 1, arbitrary: fc.jsonValue().map((value): unknown[] => [value]) },
  );
const fresh = fc.tuple(fc.constantFrom(...ids, 'N1', 'N2'), fc.oneof(fc.constant({}), anyEdit)).map(([id, edit]): unknown => ({ ...story(id), ...edit }));
const tops = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      { project: fc.constantFrom<unknown>('x', 1), verifyCommands: fc.constantFrom<unknown>([], ['rm']), team: fc.jsonValue() },
      { requiredKeys: [] },
    ),
  },
);

const modeOf = { needs_review: 'implement', changes_requested: 'review-fix', approved: 'implement' } as const;

const turnFor = ({ id, reviewStatus }: Story) =>
  fc.record<Turn>({
    mode: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Turn['mode']>(reviewStatus === null ? 'implement' : modeOf[reviewStatus]) },
      { weight: 1, arbitrary: fc.constantFrom<Turn['mode']>('implement', 'review-fix') },
    ),
    story: fc.constant(id),
    cap: fc.constantFrom(3, 5),
    skipReview: fc.constantFrom(false, false, false, true),
  });

/** One story changed as a turn might, and at most one new story. */
const fairForm = (truth: StoryPlan, target: Story) =>
  fc.tuple(fairEdit(target), fc.constantFrom([], [story('N1')])).map(([edit, news]): PlanForm => {
    const stories = truth.userStories.map((was) => (was === target ? { ...was, ...edit } : was));
    return { kind: 'text', text: JSON.stringify({ ...truth, userStories: [...stories, ...news] }) };
  });

const foulForm = (truth: StoryPlan) =>
  fc.tuple(fc.tuple(...truth.userStories.map(entry)), fc.array(fresh, { maxLength: 2 }), fc.boolean(), tops).map(([kept, news, isTurned, top]): PlanForm => {
    const stories = [...kept.flat(), ...news];
    return { kind: 'text', text: JSON.stringify({ ...truth, ...top, userStories: isTurned ? stories.toReversed() : stories }) };
  });

const noForm = fc.oneof(
  fc.oneof(fc.string(), fc.json()).map((text): PlanForm => ({ kind: 'text', text })),
  fc.constantFrom<PlanForm>({ kind: 'missing' }, { kind: 'refused', why: 'is a symbolic link' }),
);

const scene = truths
  .chain((truth) => fc.tuple(fc.constant(truth), fc.constantFrom(...truth.userStories)))
  .chain(([truth, target]) => {
    const form = fc.oneof({ weight: 9, arbitrary: fairForm(truth, target) }, { weight: 10, arbitrary: foulForm(truth) }, { weight: 1, arbitrary: noForm });
    return fc.record({ truth: fc.constant(truth), turn: turnFor(target), form });
  });

/** As a run with or without reviews starts from it. */
const known = (truth: StoryPlan, turn: Turn): StoryPlan => acceptPersonalEdits(null, { kind: 'text', text: storiesText(truth, null) }, turn).plan ?? truth;

const always = (rule: (truth: StoryPlan, form: PlanForm, turn: Turn) => void) =>
  fc.assert(
    fc.property(scene, ({ truth, form, turn }) => rule(known(truth, turn), form, turn)),
    { seed: 7, numRuns: 400 },
  );

const textOf = (plan: StoryPlan): PlanForm => ({ kind: 'text', text: storiesText(plan, null) });
const stateOf = ({ passes, reviewStatus, reviewCount, reviewFeedback }: Story) => [passes, reviewStatus, reviewCount, reviewFeedback];
const isRight = (plan: StoryPlan, turn: Turn) => {
  expect(readStories(storiesText(plan, null))).toMatchObject({ problems: [] });
  expect(integrityProblems(plan, turn)).toEqual([]);
  expect(StoryPlan.safeParse(plan).success).toBe(true);
};

describe('whatever an agent makes of the list', () => {
  it('the settled list is valid, and stays so after the move', () => {
    always((truth, form, turn) => {
      const { plan, move } = settleStories(truth, form, turn);
      isRight(plan, turn);
      for (const green of [true, false]) isRight(applyMoves(plan, move === null ? [] : [move], { ...turn, green, red: 'npm test' }).plan, turn);
    });
  });

  it('no story is lost, and none moves before its proof', () => {
    always((truth, form, turn) => {
      const { plan } = settleStories(truth, form, turn);
      const after = new Map(plan.userStories.map((each) => [each.id, each]));
      for (const was of truth.userStories) {
        const is = after.get(was.id);
        expect(is && stateOf(is)).toEqual(stateOf(was));
        expect(is?.title).toBe(was.title);
        expect(is?.acceptanceCriteria.filter((each) => was.acceptanceCriteria.includes(each)).join()).toContain(was.acceptanceCriteria.join());
        expect(was.dependsOn.filter((need) => !is?.dependsOn.includes(need))).toEqual([]);
      }
      const old = new Set(truth.userStories.map(({ id }) => id));
      for (const each of plan.userStories) if (!old.has(each.id)) expect(stateOf(each)).toEqual(stateOf(story('clean')));
      expect({ ...plan, userStories: [], team: null }).toEqual({ ...truth, userStories: [], team: null });
    });
  });

  it('a move is one that the turn was for', () => {
    always((truth, form, turn) => {
      const { move, plan } = settleStories(truth, form, turn);
      if (move === null) return;
      const was = truth.userStories.find(({ id }) => id === move.story);
      expect(move.to).toBe('implemented');
      expect(was?.passes).toBe(false);
      if (turn.mode === 'review-fix') expect(turn.skipReview || move.story === turn.story).toBe(true);
      expect(applyMoves(plan, [move], { ...turn, green: true, red: '' }).applied).toBe(true);
    });
  });

  it('settling the result again gives the same, and refuses nothing', () => {
    always((truth, form, turn) => {
      const { plan, accepted } = settleStories(truth, form, turn);
      const again = settleStories(truth, textOf(plan), turn);
      expect(storiesText(again.plan, null)).toBe(storiesText(plan, null));
      expect(again.accepted).toEqual(accepted);
      expect(again.move).toBeNull();
      expect(again.refused).toEqual([]);
    });
  });

  it('an agent that may stop has left nothing for the loop to fix', () => {
    let free = 0;
    always((truth, form, turn) => {
      if (stopProblems(truth, form, turn).length > 0 || form.kind !== 'text') return;
      free += 1;
      const { plan, move, refused } = settleStories(truth, form, turn);
      const { plan: written } = readStories(form.text);
      expect(refused).toEqual([]);
      expect(written).not.toBeNull();
      if (written === null) return;
      expect(integrityProblems(written, turn)).toEqual([]);
      expect(transitionProblems(snapshotOf(truth), written, turn)).toEqual([]);
      const hoped = applyMoves(plan, move === null ? [] : [move], { ...turn, green: true, red: '' }).plan;
      // A reviewer may count one beyond the cap and give only a space as feedback; the loop does not.
      const capped = (each: Story) => ({ ...each, reviewCount: Math.min(each.reviewCount, turn.cap), reviewFeedback: each.reviewFeedback.trim() });
      expect(hoped.userStories.map(capped)).toEqual(written.userStories.map(capped));
      expect({ ...hoped, userStories: [] }).toEqual({ ...written, userStories: [] });
    });
    expect(free).toBeGreaterThan(30);
  });

  it('an agent that may not stop is told why, one problem per line', () => {
    always((truth, form, turn) => {
      const stops = stopProblems(truth, form, turn);
      const { refused, move } = settleStories(truth, form, turn);
      for (const line of [...refused, ...stops]) expect(line).toMatch(/^[^\n\r]+\.$/);
      if (refused.length > 0) expect(stops.length).toBeGreaterThanOrEqual(refused.length);
      if (stops.length > 0 && refused.length === 0) expect(move).not.toBeNull();
    });
  });

  it('the result of any verdict is valid', () => {
    const verdict = fc.record<Verdict>({
      decision: fc.constantFrom('approved', 'changes_requested'),
      feedback,
      notes: fc.constant(''),
      weak: fc.boolean(),
    });
    fc.assert(
      fc.property(scene, verdict, fc.boolean(), ({ truth, turn: drawn }, said, green) => {
        const turn = { ...drawn, skipReview: false };
        const plan = known(truth, turn);
        const under = plan.userStories.find(({ id }) => id === turn.story) ?? story('nobody');
        const move = moveOfVerdict(said, under, turn.cap);
        const { plan: next } = applyMoves(plan, move === null ? [] : [move], { ...turn, green, red: 'npm test' });
        isRight(next, turn);
        const passed = new Set(plan.userStories.filter(({ passes }) => passes).map(({ id }) => id));
        const news = next.userStories.filter(({ id, passes }) => passes && !passed.has(id)).map(({ id }) => [id, green, under.reviewStatus]);
        expect([[], [[turn.story, true, 'needs_review']]]).toContainEqual(news);
      }),
      { seed: 7, numRuns: 400 },
    );
  });

  it('no edit by hand makes a story pass', () => {
    always((truth, form, turn) => {
      const { plan, problem } = acceptPersonalEdits(truth, form, turn);
      expect(plan === null).toBe(problem !== null);
      if (plan === null) return;
      isRight(plan, turn);
      const passed = new Set(truth.userStories.filter(({ passes }) => passes).map(({ id }) => id));
      expect(plan.userStories.filter(({ id, passes }) => passes && !passed.has(id))).toEqual([]);
      const again = acceptPersonalEdits(plan, textOf(plan), turn);
      expect(again.changes).toEqual([]);
      expect(storiesText(again.plan ?? truth, null)).toBe(storiesText(plan, null));
    });
  });
});
