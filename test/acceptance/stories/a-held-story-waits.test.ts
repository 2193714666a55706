import { expect, it } from 'vitest';
import { openStoriesStage, standings, story } from '../../support/stories-stage.ts';
import type { Part } from '../../support/story-part.ts';

const TEST = "require('node:test').test('adds', () => {\n  require('node:assert').strictEqual(require('../add.js')(1, 2), 3);\n});\n";
const files = { 'add.js': 'module.exports = (a, b) => a + b;\n', 'test/add.test.js': TEST };

const cheats: Part = (me) => {
  me.write('add.js', 'module.exports = () => 4;\n');
  me.sh("sed -i 's/, 3)/, 4)/' test/add.test.js");
  me.good();
  me.end();
};

it('a story that is green only with a changed test waits for a person while the next one continues, and passes after ralph accept', async () => {
  const stories = [story('US-001'), story('US-002', { priority: 2 })];
  await using stage = await openStoriesStage(stories, [cheats], { files, top: { verifyCommands: ['node --test'] } });
  const run = await stage.work();

  expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', message: expect.stringContaining('--task US-001') } });
  expect(standings(stage.plan())).toEqual({ 'US-001': ['needs_review', false, 0], 'US-002': ['approved', true, 1] });
  const accepted = await stage.ralph('accept', '--json');
  expect(accepted, accepted.stderr).toMatchObject({ code: 0, result: { done: true } });
  expect(stage.events('claim.allowed')).toMatchObject([{ task: 'US-001', paths: ['test/add.test.js'] }]);
  expect(standings(stage.plan())).toMatchObject({ 'US-001': ['approved', true, 1] });
});
