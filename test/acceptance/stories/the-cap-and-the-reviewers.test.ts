import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deep, deepIt, deepRows } from '../../support/deep.ts';
import { expectTidy, openStoriesStage, type StoriesStage, standingOf, standings, story } from '../../support/stories-stage.ts';
import { claims, idles, type Part, rejects, silentReview, works } from '../../support/story-part.ts';

const one = [story('US-001')];

/** The other agent does the same and writes its name. */
function other({ repo }: StoriesStage, body: string): string {
  const file = join(repo.beside, 'other.sh');
  writeFileSync(file, `echo other >>../beside/others\n${body}\n`);
  return `sh ${file}`;
}

const APPROVES = `cat >/dev/null; echo fine; echo '{"decision": "approved", "feedback": "", "notes": ""}'`;

describe.concurrent('the cap', () => {
  const ends = [
    ['fails the run with --fail-on-cap', ['--fail-on-cap'], 1],
    ['is reported and does not fail the run', [], 0],
  ] as const;
  it.each(deepRows('the test below ends well at a cap', ends, 1))('of 1 lets a story through with what is left, which %s', async (_name, flags, code) => {
    await using stage = await openStoriesStage(one, [works, rejects]);
    const run = await stage.work('--review-cap', '1', ...flags);
    expect(run, run.stderr).toMatchObject({ code, result: { stop_reason: 'completed', stories: { approved_at_cap: ['US-001'] } } });
    expect(stage.story('US-001')).toMatchObject({ passes: true, reviewStatus: 'approved', reviewCount: 1, reviewFeedback: '[AUTO-APPROVED AT CAP] Not yet.' });
    expect(stage.turns()).toEqual(['implement US-001', 'review US-001']);
    expect(run.stderr).toMatch(/US-001 auto-approved at cap/);
    expectTidy(stage);
  });

  it('ends a story that no reviewer approves, and the review count is correct at every step', async () => {
    await using stage = await openStoriesStage(one, [works, rejects, works, rejects, works, rejects]);
    const run = await stage.work('--review-cap', '3');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stories: { approved_at_cap: ['US-001'], review_count_by_story: { 'US-001': 3 } } } });
    expect(stage.after().map(({ userStories: [first] }) => first && standingOf(first))).toEqual([
      ['needs_review', false, 0],
      ['changes_requested', false, 1],
      ['needs_review', false, 1],
      ['changes_requested', false, 2],
      ['needs_review', false, 2],
      ['approved', true, 3],
    ]);
    expect(stage.calls()[5]?.prompt).toContain('[AUTO-APPROVED AT CAP]');
  });
});

describe.concurrent('without reviews', () => {
  it('a story passes when its verify commands are green, and not before', async () => {
    const breaks: Part = (me) => {
      me.good();
      me.write('broken', 'x');
      me.end();
    };
    const mends: Part = (me) => {
      me.good();
      me.sh('rm -f broken');
      me.end();
      me.say('<promise>COMPLETE</promise>');
    };
    await using stage = await openStoriesStage(one, [breaks, mends]);
    const run = await stage.work('--skip-review');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.after().map(standings)).toEqual([{ 'US-001': [null, false, 0] }, { 'US-001': [null, true, 0] }]);
    expectTidy(stage);
  });

  deepIt('what a turn may change is a pure rule, with a test of each case')(
    'stories that were in review are implemented again, and the feedback is kept',
    async () => {
      await using stage = await openStoriesStage([
        story('US-001', { reviewStatus: 'needs_review', reviewCount: 1, notes: 'Did it.' }),
        story('US-002', { reviewStatus: 'changes_requested', reviewCount: 2, reviewFeedback: 'Add a test.', notes: 'x' }),
        story('US-003', { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'x' }),
      ]);
      const run = await stage.work('--skip-review');
      expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
      expect(stage.turns()).toEqual(['implement US-001', 'implement US-002']);
      expect(JSON.parse(stage.calls()[1]?.form ?? '{}').userStories[1].notes).toContain('Add a test.');
      expect(stage.plan().userStories.map(({ passes }) => passes)).toEqual([true, true, true]);
    },
  );

  deepIt('what a turn may change is a pure rule, with a test of each case')('a review that an agent writes into the list is reverted', async () => {
    await using stage = await openStoriesStage(one, [
      (me) => {
        Object.assign(me.story, { reviewStatus: 'approved', reviewCount: 1 });
        me.end();
      },
      idles,
    ]);
    await stage.work('--skip-review', '-n', '2');
    expect(standings(stage.plan())).toEqual({ 'US-001': [null, false, 0] });
    expect(stage.calls()[1]?.prompt).toMatch(/There is no review in this run/);
  });
});

describe.concurrent('two reviewers', () => {
  it('see the same work and must both approve; the review counts once', async () => {
    await using stage = await openStoriesStage(one, [works, works, works]);
    const run = await stage.work('--reviews', '2');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.turns()).toEqual(['implement US-001', 'review US-001', 'review US-001']);
    const [, first, second] = stage.calls();
    expect(second).toMatchObject({ form: first?.form, log: first?.log, dirty: '' });
    expect(second?.prompt.replace('reviewer 2 of 2', 'reviewer 1 of 2')).toBe(first?.prompt);
    expect(standings(stage.plan())).toEqual({ 'US-001': ['approved', true, 1] });
    expectTidy(stage);
  });

  const oneRejects: readonly (readonly [string, readonly Part[]])[] = [
    ['first', [works, rejects, works]],
    ['second', [works, works, rejects]],
  ];
  it.each(deepRows('what two verdicts come to is a pure rule', oneRejects, 1))('send a story back when the %s one does', async (_name, parts) => {
    await using stage = await openStoriesStage(one, parts);
    await stage.work('--reviews', '2', '-n', '2');
    expect(stage.calls()).toHaveLength(3);
    expect(stage.story('US-001')).toMatchObject({
      passes: false,
      reviewStatus: 'changes_requested',
      reviewCount: 1,
      reviewFeedback: expect.stringContaining('Not yet.'),
    });
    expectTidy(stage);
  });

  deep('that who says nothing gives no verdict is held with one reviewer', () => {
    it('do not count while one gives no verdict', async () => {
      await using stage = await openStoriesStage(one, [works, works, ...silentReview]);
      await stage.work('--reviews', '2', '-n', '2');
      expect(standings(stage.plan())).toEqual({ 'US-001': ['needs_review', false, 0] });
    });
  });
});

describe.concurrent('another agent', () => {
  it('reviews with --review-agent and implements nothing', async () => {
    await using stage = await openStoriesStage(one, [works, claims]);
    const run = await stage.work('--review-agent', other(stage, APPROVES));
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.turns()).toEqual(['implement US-001']);
    expect(standings(stage.plan())).toEqual({ 'US-001': ['approved', true, 1] });
  });

  it.each(deepRows('an attempt is tried again whatever its mode', ['implement', 'review', 'review-fix'], 1))(
    'is asked again in the same iteration where one says nothing in %s mode',
    async (mode) => {
      const before = { implement: [], review: [works], 'review-fix': [works, rejects] }[mode] ?? [];
      const silent: Part = (me) => me.silently();
      await using stage = await openStoriesStage(one, [...before, silent]);
      const run = await stage.work();
      expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
      const [first, second] = stage.calls().slice(before.length);
      expect([first?.mode, second?.mode]).toEqual([mode, mode]);
      expect(stage.events('iteration.closed')).toHaveLength(stage.calls().length - 1);
      expect(run.stderr).toContain(`[ralph] Empty response — retrying iteration ${before.length + 1}`);
    },
  );
});
