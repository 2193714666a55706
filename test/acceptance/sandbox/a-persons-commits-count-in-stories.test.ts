import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { openStoriesStage, type StoriesStage, standings, story } from '../../support/stories-stage.ts';
import { type Part, works } from '../../support/story-part.ts';
import { until } from '../../support/until.ts';

const TEST = (wanted: number) =>
  `require('node:test').test('adds', () => {\n  require('node:assert').strictEqual(require('../add.js')(1, 2), ${wanted});\n});\n`;
const files = { 'add.js': 'module.exports = () => 3;\n', 'test/add.test.js': TEST(3) };

/** Works once somebody has written into a pipe beside the repository. */
const waitsAndWorks: Part = (me) => {
  me.sh(`cat "${me.stage}/go-${me.story.id}"`);
  me.good();
  me.end();
};

const weakens: Part = (me) => {
  me.write('add.js', 'module.exports = () => 5;\n');
  me.sh("sed -i 's/, 3)/, 5)/' test/add.test.js");
  me.good();
  me.end();
};

const open = async (...parts: readonly Part[]) => {
  const settings = { sandbox: { writable: ['../beside'] }, proof: { level: 'green' }, shutdownGrace: { sigterm: '1s', sigint: '1s' } };
  const stage = await openStoriesStage([story('US-001'), story('US-002', { priority: 2 })], parts, {
    files,
    settings,
    top: { verifyCommands: ['node --test'] },
  });
  execFileSync(
    'mkfifo',
    ['US-001', 'US-002'].map((id) => join(stage.repo.beside, `go-${id}`)),
  );
  return stage;
};

/** Commits a test and its source as a person while the agent of that story waits, and lets the agent go on. */
async function commitMeanwhile(stage: StoriesStage, id: string, wanted: number): Promise<void> {
  await until(`the agent of ${id} waits`, () => stage.turns().includes(`implement ${id}`));
  await stage.repo.write('add.js', `module.exports = () => ${wanted};\n`);
  await stage.repo.write('test/add.test.js', TEST(wanted));
  stage.repo.git('commit', '-qm', `wants ${wanted}`, 'add.js', 'test/add.test.js');
  await writeFile(join(stage.repo.beside, `go-${id}`), 'go\n');
}

describe.skipIf(bubblewrapIsMissing())('a test that a person commits behind the os sandbox', () => {
  it('counts for the story under way and for the next one, also if the person takes the change back', async () => {
    await using stage = await open(waitsAndWorks, works, waitsAndWorks);
    const running = stage.begin('--sandbox=os');
    await commitMeanwhile(stage, 'US-001', 4);
    await commitMeanwhile(stage, 'US-002', 3);
    const run = await stage.over(running);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(standings(stage.plan())).toMatchObject({ 'US-001': ['approved', true, 1], 'US-002': ['approved', true, 1] });
  });

  it('does not let the agent of a second story weaken a test', async () => {
    await using stage = await open(works, works, weakens);
    const run = await stage.over(stage.begin('--sandbox=os'));
    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', message: expect.stringContaining('--task US-002') as string } });
    expect(standings(stage.plan())).toMatchObject({ 'US-001': ['approved', true, 1], 'US-002': ['needs_review', false, 0] });
  });
});
