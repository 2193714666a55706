import { describe, expect, it } from 'vitest';
import { deepIt } from '../../support/deep.ts';
import { expectTidy, openStoriesStage, standings, story } from '../../support/stories-stage.ts';
import { type Part, works } from '../../support/story-part.ts';

const breaks: Part = (me) => {
  me.good();
  me.write('broken', 'x');
  me.end();
};
const mends: Part = (me) => {
  me.good();
  me.sh('rm -f broken');
  me.end();
};

describe.concurrent('a verify command that is red', () => {
  it('keeps a story from its review, whatever its agent claims, and the next prompt says why', async () => {
    const unasked: Part = (me) => {
      me.good();
      me.write('broken', 'x');
      me.save();
      me.commit('feat: it works', '--no-verify');
      me.say('<promise>COMPLETE</promise>');
    };
    await using stage = await openStoriesStage([story('US-001')], [unasked, mends]);
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.turns()).toEqual(['implement US-001', 'implement US-001', 'review US-001']);
    expect(standings(stage.after()[0] ?? stage.plan())).toEqual({ 'US-001': [null, false, 0] });
    expect(stage.calls()[1]?.prompt).toMatch(/said to be ready, but its verify commands are red[\s\S]*test ! -e broken/);
    expect(stage.repo.git('show', 'HEAD~3:broken')).toBe('x');
    expectTidy(stage);
  });

  it('turns an approval into a rejection with the reason', async () => {
    const counts = 'n=$(cat ../beside/n 2>/dev/null || echo 0); echo $((n + 1)) >../beside/n; test $n -ne 1 || { echo "flaky: no"; exit 1; }';
    await using stage = await openStoriesStage([story('US-001')], [], { top: { verifyCommands: [counts] } });
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.turns()).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001']);
    expect(stage.after()[1]?.userStories[0]).toMatchObject({
      reviewStatus: 'changes_requested',
      passes: false,
      reviewCount: 1,
      reviewFeedback: expect.stringMatching(/loop's own checks are red.*flaky: no/),
    });
    expect(stage.calls()[2]?.prompt).toContain('flaky: no');
    expectTidy(stage);
  });

  deepIt('the rules of the recipe say the same of every case')('runs as it was at the start, even if it was removed from the list', async () => {
    const empties: Part = (me) => {
      Object.assign(me.plan, { verifyCommands: ['true'] });
      me.good();
      me.write('broken', 'x');
      me.end();
    };
    await using stage = await openStoriesStage([story('US-001')], [empties, mends]);
    const run = await stage.work('-n', '2');
    expect(stage.turns()).toEqual(['implement US-001', 'implement US-001']);
    expect(stage.plan()).toMatchObject({ verifyCommands: ['test ! -e broken'], userStories: [{ reviewStatus: 'needs_review' }] });
    expect(run.code).toBe(1);
  });

  deepIt('the rules of the recipe say the same of every case')('at the cap approves nothing', async () => {
    const stories = [story('US-001', { reviewStatus: 'needs_review', reviewCount: 1, notes: 'x' })];
    await using stage = await openStoriesStage(stories, [works, breaks], { files: { broken: 'x' } });
    const run = await stage.work('-n', '2', '--review-cap', '2');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false } });
    expect(stage.turns()).toEqual(['review US-001', 'review-fix US-001']);
    expect(stage.story('US-001')).toMatchObject({ passes: false, reviewStatus: 'changes_requested', reviewCount: 2 });
  });

  it('on the command line counts like those of the list', async () => {
    await using stage = await openStoriesStage([story('US-001')], []);
    const run = await stage.work('-n', '1', '--check', 'test -e never-there');
    expect(run).toMatchObject({ code: 1 });
    expect(standings(stage.plan())).toEqual({ 'US-001': [null, false, 0] });
  });
});
