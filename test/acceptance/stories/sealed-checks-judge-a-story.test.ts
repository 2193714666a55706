import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openStoriesStage, standings, story } from '../../support/stories-stage.ts';
import type { Part } from '../../support/story-part.ts';

const EXAMPLE = fileURLToPath(new URL('../../../templates/sealed/js', import.meta.url));
const files = { 'package.json': '{"type":"module"}\n', 'add.js': 'export const add = () => 0;\n', 'check.sh': 'exit 0\n' };
const CHECKS = [{ driver: 'node ralph-sealed/add.mjs', input: [20, 22], expect: 42, tasks: ['US-001'] }];

/** The first implementation handles only one case. */
const plays: Part = (me) => {
  const body = me.nth === 1 ? '() => 2' : '(a, b) => a + b';
  if (me.mode !== 'review') me.write('add.js', `export const add = ${body};\n`);
  me.good();
  me.end();
};

it('sealed checks run after a review has approved a story, and agents learn only one bit and the hint', async () => {
  const stories = [story('US-001'), story('US-002', { priority: 2 })];
  await using stage = await openStoriesStage(stories, [plays, plays, plays], { files, top: { verifyCommands: ['sh check.sh'] } });
  const folder = join(stage.repo.beside, 'acceptance');
  cpSync(EXAMPLE, folder, { recursive: true });
  writeFileSync(join(folder, 'sealed.json'), JSON.stringify({ hint: 'Think of every number.', checks: CHECKS }));
  const run = await stage.work('--sealed', folder, '--sandbox=guard');

  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
  expect(stage.turns().slice(0, 4)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001']);
  expect(stage.events('sealed.judged')).toMatchObject([{ green: false }, { green: true }]);
  expect(stage.after()[1]?.userStories[0]?.reviewFeedback).toContain('The sealed checks are not satisfied; Think of every number.');
  expect(JSON.stringify(stage.journal())).not.toContain('[20,22]');
  expect(standings(stage.plan())).toMatchObject({ 'US-001': ['approved', true, 2], 'US-002': ['approved', true, 1] });
  expect(run.stderr).toContain('the sealed checks of acceptance are satisfied');
});
