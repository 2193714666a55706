import { describe, expect, it } from 'vitest';
import { story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { Story, StoryMove, StoryPlan, Verdict } from '../../journal/words/story.ts';
import { applyMoves } from './apply-moves.ts';
import { isComplete, nextTurn } from './next-turn.ts';
import { settleStories, stopProblems } from './settle-stories.ts';
import { integrityProblems, readStories, storiesText } from './stories-text.ts';
import { moveOfVerdict, type Rules, type Turn } from './turn.ts';

/** An agent's edit of the list, or a reviewer's verdict. */
type Act = (story: Story) => Partial<Story>;

const build: Act = () => ({ reviewStatus: 'needs_review', notes: 'Built it' });
const approve: Verdict = { decision: 'approved', feedback: '', notes: '', weak: false };
const reject: Verdict = { ...approve, decision: 'changes_requested', feedback: 'No test' };
const mend: Act = () => ({ reviewStatus: 'needs_review', reviewFeedback: '' });
const cheat: Act = () => ({ reviewStatus: 'approved', passes: true, notes: 'Trust me' });
const pass: Act = () => ({ passes: true, notes: 'Built it' });

interface Told {
  readonly mode: string;
  readonly is: readonly [Story['reviewStatus'], boolean, number, string];
  readonly stops: number;
  readonly atCap: string | null;
}

/** Takes one story through as many iterations as there are acts, as the loop does. */
function live(acts: readonly (Act | Verdict)[], rules: Rules, gates: readonly boolean[] = []): { readonly plan: StoryPlan; readonly told: readonly Told[] } {
  let plan = storyPlan(story('US-001'));
  const told = acts.map((act, index): Told => {
    const turn = nextTurn(plan, { skipReview: rules.skipReview, parked: new Set() });
    if (turn.kind !== 'turn') throw new Error(`no turn, but ${turn.kind}`);
    const { said, stops } = turn.mode === 'review' ? review(plan, act, rules) : work(plan, act, { ...rules, mode: turn.mode, story: turn.story });
    const green = gates[index] ?? true;
    const { plan: next, atCap } = applyMoves(said.plan, said.move === null ? [] : [said.move], { ...rules, green, red: green ? '' : 'npm test' });
    plan = next;
    expect(readStories(storiesText(plan, null)).problems).toEqual([]);
    expect(integrityProblems(plan, rules)).toEqual([]);
    const { reviewStatus, passes, reviewCount, reviewFeedback } = plan.userStories[0] ?? story('gone');
    return { mode: turn.mode, is: [reviewStatus, passes, reviewCount, reviewFeedback], stops, atCap };
  });
  return { plan, told };
}

interface Done {
  readonly said: { readonly plan: StoryPlan; readonly move: StoryMove | null };
  readonly stops: number;
}

function review(plan: StoryPlan, verdict: Act | Verdict, { cap }: Rules): Done {
  const [under] = plan.userStories;
  if (typeof verdict === 'function' || under === undefined) throw new Error('a review says something');
  return { said: { plan, move: moveOfVerdict(verdict, under, cap) }, stops: 0 };
}

function work(plan: StoryPlan, act: Act | Verdict, asked: Turn): Done {
  if (typeof act !== 'function') throw new Error('only a review says something');
  const text = storiesText({ ...plan, userStories: plan.userStories.map((each) => ({ ...each, ...act(each) })) }, null);
  return { said: settleStories(plan, { kind: 'text', text }, asked), stops: stopProblems(plan, { kind: 'text', text }, asked).length };
}

const five: Rules = { cap: 5, skipReview: false };

describe('the life of a story', () => {
  it('goes from implementation through review, fix and second review to approval', () => {
    const { plan, told } = live([build, reject, mend, approve], five);
    expect(told).toEqual([
      { mode: 'implement', is: ['needs_review', false, 0, ''], stops: 0, atCap: null },
      { mode: 'review', is: ['changes_requested', false, 1, 'No test'], stops: 0, atCap: null },
      { mode: 'review-fix', is: ['needs_review', false, 1, ''], stops: 0, atCap: null },
      { mode: 'review', is: ['approved', true, 2, ''], stops: 0, atCap: null },
    ]);
    expect(isComplete(plan, false)).toBe(true);
  });

  it('cannot be cut short by the agent that implements or fixes it', () => {
    const { told } = live([cheat, build, reject, cheat, mend, approve], five);
    expect(told.map(({ mode, is: [status, passes], stops }) => [mode, status, passes, stops > 0])).toEqual([
      ['implement', null, false, true],
      ['implement', 'needs_review', false, false],
      ['review', 'changes_requested', false, false],
      ['review-fix', 'changes_requested', false, true],
      ['review-fix', 'needs_review', false, false],
      ['review', 'approved', true, false],
    ]);
  });

  it('stays where it is while the gates are red', () => {
    const { told } = live([build, build, approve, mend, approve], five, [false, true, false, true, true]);
    expect(told.map(({ mode, is }) => [mode, is[0], is[2]])).toEqual([
      ['implement', null, 0],
      ['implement', 'needs_review', 0],
      ['review', 'changes_requested', 1],
      ['review-fix', 'needs_review', 1],
      ['review', 'approved', 2],
    ]);
  });

  it('ends with its first review where the cap is 1, whatever the verdict', () => {
    const { plan, told } = live([build, reject], { cap: 1, skipReview: false });
    expect(told[1]).toEqual({ mode: 'review', is: ['approved', true, 1, '[AUTO-APPROVED AT CAP] No test'], stops: 0, atCap: 'US-001' });
    expect(isComplete(plan, false)).toBe(true);
  });

  it('ends with its fifth review, after ten iterations', () => {
    const acts = [build, ...Array.from({ length: 4 }, () => [reject, mend]).flat(), reject];
    const { told } = live(acts, five);
    expect(told).toHaveLength(10);
    expect(told.at(-1)).toMatchObject({ is: ['approved', true, 5, '[AUTO-APPROVED AT CAP] No test'], atCap: 'US-001' });
    expect(told.slice(0, -1).every(({ is: [, passes] }) => !passes)).toBe(true);
  });

  it('does not end at the cap while the gates are red, however often it is reviewed', () => {
    const { told } = live([build, reject, mend, approve, mend, reject, mend, approve], { cap: 1, skipReview: false }, [
      true,
      false,
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(told.map(({ is: [status, , count] }) => [status, count]).filter((_, index) => index % 2 === 1)).toEqual([
      ['changes_requested', 1],
      ['changes_requested', 1],
      ['changes_requested', 1],
      ['approved', 1],
    ]);
  });

  it('is one iteration without reviews', () => {
    const { plan, told } = live([pass], { cap: 5, skipReview: true });
    expect(told).toEqual([{ mode: 'implement', is: [null, true, 0, ''], stops: 0, atCap: null }]);
    expect(isComplete(plan, true)).toBe(true);
    expect(isComplete(plan, false)).toBe(false);
  });
});
