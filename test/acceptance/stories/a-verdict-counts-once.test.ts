import { describe, expect, it } from 'vitest';
import { deepIt } from '../../support/deep.ts';
import { expectTidy, openStoriesStage, standingOf, standings, story } from '../../support/stories-stage.ts';
import { idles, type Part, rejects, works } from '../../support/story-part.ts';

const under = (count: number) => [story('US-001', { reviewStatus: 'needs_review', reviewCount: count, notes: 'Did it.' })];

const says = (decision: string, feedback = ''): Part =>
  new Function('me', `me.say(${JSON.stringify(JSON.stringify({ decision, feedback, notes: '' }))})`) as Part;

/** Everything an old-style reviewer was told to do, and more. */
const forges: Part = (me) => {
  me.forge({ reviewCount: 9 });
  me.plan.userStories.push({ ...me.story, id: 'US-009' });
  me.save();
  me.commit();
};

describe.concurrent('a verdict', () => {
  it.each([
    ['that is also written into the list counts as the message said', says('approved'), ['approved', true, 2, '']],
    ['that claims the cap too early counts as a rejection', says('approved', '[AUTO-APPROVED AT CAP] No tests.'), ['changes_requested', false, 2, 'No tests.']],
    ['in the list does not count, but one in the last message does', says('changes_requested', 'No.'), ['changes_requested', false, 2, 'No.']],
  ] as const)('%s', async (_name, part, standing) => {
    await using stage = await openStoriesStage(under(1), [[forges, part]]);
    await stage.work('-n', '1');
    const [first, ...others] = stage.plan().userStories;
    expect(first && [...standingOf(first), first.reviewFeedback]).toEqual(standing);
    expect(others).toEqual([]);
    expect(stage.refused()).toEqual([expect.stringMatching(/^ralph\/tasks\.json was changed during a review and was put back/)]);
    expectTidy(stage);
  });

  it('is written into progress.txt and committed by the loop, with the notes of the reviewer', async () => {
    await using stage = await openStoriesStage(under(1), [
      (me) => me.say('{"decision":"changes_requested","feedback":"No test.\\nNo docs.","notes":"Use vitest."}'),
    ]);
    await stage.work('-n', '1');
    const progress = stage.repo.git('show', 'HEAD:ralph/progress.txt');
    expect(progress).toContain(
      '### Iteration 1 — [mode: review] — [US-001] Title of US-001\n- What was done: reviewed, changes requested (review 2 of 5, a weak verdict, run ',
    );
    expect(progress).toContain('- Feedback: No test.\n  No docs.\n- Verification results: test ! -e broken green\n- Learnings: Use vitest.');
    expect(stage.subjects()).toEqual(['review: [US-001] - changes requested']);
    expectTidy(stage);
  });

  it('against a story at the cap approves it with a note', async () => {
    await using stage = await openStoriesStage(under(1), [rejects]);
    const run = await stage.work('--review-cap', '2');
    expect(run, run.stderr).toMatchObject({
      code: 0,
      result: { done: true, stories: { approved_at_cap: ['US-001'] }, message: expect.stringContaining('US-001') },
    });
    expect(stage.story('US-001')).toMatchObject({ passes: true, reviewStatus: 'approved', reviewCount: 2, reviewFeedback: '[AUTO-APPROVED AT CAP] Not yet.' });
    expect(stage.subjects().at(-1)).toBe('review: [US-001] - auto-approved at cap');
  });
});

describe.concurrent('a fixer', () => {
  const sentBack = [story('US-001', { reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'Add a test.', notes: 'x' }), story('US-002')];

  deepIt('what counts as a verdict is a pure rule, with a test of each case')('that approves its own work is told so and runs again', async () => {
    await using stage = await openStoriesStage(sentBack, [
      (me) => {
        me.forge({ reviewFeedback: '' });
        me.end();
      },
      idles,
    ]);
    await stage.work('-n', '2');
    expect(stage.turns()).toEqual(['review-fix US-001', 'review-fix US-001']);
    expect(standings(stage.plan())).toMatchObject({ 'US-001': ['changes_requested', false, 1] });
    expect(stage.story('US-001').reviewFeedback).toBe('Add a test.');
    expect(stage.calls()[1]?.prompt).toMatch(/not accepted[\s\S]*US-001[\s\S]*passes/);
  });

  it('that does not clear the feedback has it cleared by the loop, and a fresh reviewer follows', async () => {
    await using stage = await openStoriesStage(sentBack, [
      (me) => {
        me.fix();
        Object.assign(me.story, { reviewFeedback: 'Add a test.' });
        me.end();
      },
      works,
    ]);
    await stage.work('-n', '2');
    expect(stage.turns()).toEqual(['review-fix US-001', 'review US-001']);
    expect(stage.after()[0]?.userStories[0]).toMatchObject({ reviewStatus: 'needs_review', reviewFeedback: '', reviewCount: 1 });
  });

  deepIt('what counts as a verdict is a pure rule, with a test of each case')(
    'that hands in another story or changes the review count has that reverted',
    async () => {
      await using stage = await openStoriesStage(sentBack, [
        (me) => {
          me.fix();
          Object.assign(me.story, { reviewCount: 4 });
          Object.assign(me.of('US-002'), { reviewStatus: 'needs_review' });
          me.end();
        },
      ]);
      await stage.work('-n', '1');
      expect(standings(stage.plan())).toEqual({ 'US-001': ['needs_review', false, 1], 'US-002': [null, false, 0] });
      expect(stage.refused()[0]).toMatch(/reviewCount 1 → 4[\s\S]*US-002/);
    },
  );
});
