import { describe, expect, it } from 'vitest';
import { expectTidy, openStoriesStage, standings, story } from '../../support/stories-stage.ts';
import { type Part, rejects, works } from '../../support/story-part.ts';

/** Has approved its own story and is still running. */
const hangs: Part = (me) => {
  Object.assign(me.story, { passes: true, reviewStatus: 'approved', notes: 'x' });
  me.write('half.txt', 'half\n');
  me.save();
  return me.hang();
};
const WAITS = 'test -e ../beside/go || { touch ../beside/hangs; while :; do sleep 0.1; done; }';

describe.concurrent('Ctrl-C leaves a valid list, no process and nothing uncommitted', () => {
  it.each([
    ['in implement mode', [hangs], [null, false, 0]],
    ['in review mode', [works, hangs], ['needs_review', false, 0]],
    ['in review-fix mode', [works, rejects, hangs], ['changes_requested', false, 1]],
  ] as const)('%s', async (_name, parts, standing) => {
    await using stage = await openStoriesStage([story('US-001')], [...parts]);
    const running = stage.begin();
    await stage.made('hangs');
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 130, result: { done: false } });
    expect(standings(stage.plan())).toEqual({ 'US-001': standing });
    expectTidy(stage);
    const again = await stage.ralph('runs', 'resume', '--json');
    expect(again, again.stderr).toMatchObject({ code: 0, result: { done: true } });
    expectTidy(stage);
  });

  it('while the verify commands run', async () => {
    await using stage = await openStoriesStage([story('US-001')], [], { top: { verifyCommands: [WAITS] } });
    const running = stage.begin('--proof', 'off');
    await stage.made('hangs');
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 130, result: { done: false } });
    expect(standings(stage.plan())).toEqual({ 'US-001': [null, false, 0] });
    expectTidy(stage);
    await stage.make('go');
    const again = await stage.ralph('runs', 'resume', '--json');
    expect(again, again.stderr).toMatchObject({ code: 0, result: { done: true } });
    expectTidy(stage);
  });

  it('once: the loop waits for the end of the iteration, which then counts', async () => {
    const waits: Part = (me) => {
      me.sh('touch ../beside/hangs; while [ ! -e ../beside/go ]; do sleep 0.05; done');
      me.good();
      me.end();
    };
    await using stage = await openStoriesStage([story('US-001')], [waits]);
    const running = stage.begin();
    await stage.made('hangs');
    running.child.kill('SIGTERM');
    await stage.make('go');
    const run = await stage.over(running);
    expect(run, run.stderr).toMatchObject({ result: { done: false } });
    expect(standings(stage.plan())['US-001']?.[1]).toBe(false);
    expectTidy(stage);
  });
});
