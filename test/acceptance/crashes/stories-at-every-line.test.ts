import { describe, expect, it, vi } from 'vitest';
import { deep, isDeep } from '../../support/deep.ts';
import type { Crash } from '../../support/dying-ralph.ts';
import { expectTidy, openStoriesStage, standings, story } from '../../support/stories-stage.ts';
import { type Part, rejects, works } from '../../support/story-part.ts';

vi.setConfig({ maxConcurrency: 2 });

/** Its first call does something forbidden and leaves uncommitted files; its first review requests changes. */
const cheats: Part = (me) => {
  me.good();
  Object.assign(me.of('US-002'), { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'x' });
  me.write('ralph/prd.md', 'easy\n');
  me.save();
};
const open = () => openStoriesStage([story('US-001'), story('US-002')], [cheats, rejects]);

/** The number of lines of a run that is not killed. */
const lines = isDeep
  ? await (async () => {
      await using stage = await open();
      await stage.work();
      return stage.journal().length;
    })()
  : 0;

const isLong = process.env['RALPH_TEST_LONG'] === '1';
const every = isLong ? 1 : Math.ceil(lines / 12);
const modes: readonly Crash['mode'][] = ['after', 'before', 'torn'];
const rows = Array.from({ length: Math.floor((lines - 2) / every) + 1 }, (_, index) => 1 + index * every).flatMap((at, index): readonly Crash[] => {
  if (at === 1) return [{ at, mode: 'after' }];
  return isLong ? modes.map((mode) => ({ at, mode })) : [{ at, mode: modes[index % modes.length] ?? 'after' }];
});

it('a run that is killed after its agent has forged an approval ignores it, and so does a new run', async () => {
  const liesAndHangs: Part = (me) => {
    Object.assign(me.story, { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'x' });
    me.end();
    return me.hang();
  };
  await using stage = await openStoriesStage([story('US-001')], [liesAndHangs, works]);
  const first = stage.begin();
  await stage.made('hangs');
  first.child.kill('SIGKILL');
  await stage.over(first);
  const id = `${stage.events('run.started')[0]?.['run']}`;

  const fresh = await stage.work();
  expect(fresh, fresh.stderr).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(new RegExp(`${id} was killed while an agent was working[\\s\\S]*resume`)),
  });
  const resumed = await stage.ralph('runs', 'resume', '--json');
  expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { done: true } });
  expect(stage.turns()).toEqual(['implement US-001', 'implement US-001', 'review US-001']);
  expect(stage.refused()[0]).toMatch(/Implement iterations cannot set passes=true/);
  expectTidy(stage);
});

deep('each line is killed in process in test/crashes/, the telling ones for real in real-kills.test.ts', () => {
  describe.concurrent('a run on stories that is killed and resumed has every story approved by a review:', () => {
    it.each(rows)('line $at, killed $mode it is written', async (crash) => {
      await using stage = await open();
      await stage.crash(crash);
      const run = await stage.ralph('runs', 'resume', '--json');

      expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, stories: { approved: 2 } } });
      const { 'US-001': first, 'US-002': second } = standings(stage.plan());
      expect([first?.slice(0, 2), second?.slice(0, 2)]).toEqual([
        ['approved', true],
        ['approved', true],
      ]);
      for (const id of ['US-001', 'US-002']) expect(stage.turns()).toEqual(expect.arrayContaining([`implement ${id}`, `review ${id}`]));
      // A review comes after the last work on its story.
      for (const id of ['US-001', 'US-002'])
        expect(
          stage
            .turns()
            .filter((turn) => turn.endsWith(id))
            .at(-1),
        ).toBe(`review ${id}`);
      expect(stage.repo.git('show', 'HEAD:ralph/prd.md')).toBe('# What is wanted');
      const journal = stage.journal();
      expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1));
      expectTidy(stage);
    });
  });
});
