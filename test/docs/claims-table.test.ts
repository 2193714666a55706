import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClaimSpec, claimsOf, saysDone } from '../../src/journal/words/claim.ts';
import type { StoryPlan } from '../../src/journal/words/story.ts';
import { findClaim, findNearClaim } from '../../src/proof/claims/claim-scanner.ts';
import { storySettings } from '../../src/recipes/review/start/story-settings.ts';
import { workSettings } from '../../src/recipes/work/start/start-work.ts';
import { runSettings } from '../../src/settings/run-settings.ts';
import type { SettingsFile } from '../../src/settings/schema/settings-file.ts';
import { projectRoot } from './project-files.ts';

const page = readFileSync(join(projectRoot, 'docs/guide/when-a-run-ends.md'), 'utf8');
const section = page.slice(page.indexOf('## What counts as a claim'), page.indexOf('## Why an attempt failed'));

/** Every example of the first column, with the first word of the second. */
const rows = [...section.matchAll(/^\| (`.*) \| (yes|nearly|no)\b.*\|$/gm)].flatMap(([, examples = '', verdict = '']) =>
  [...examples.matchAll(/(?<!`)`((?:[^`]|`{2,})+?)`(?!`)/g)].map(([, example = '']) => [example.replaceAll(' ⏎ ', '\n'), verdict] as const),
);

/** Of each recipe whose agent says a word, and with a word that the operator has configured. */
const RECIPES: readonly (readonly [string, readonly ClaimSpec[]])[] = [
  ['run', claimsOf('run', undefined)],
  ['run -c DONE', claimsOf('run', 'DONE')],
  ['loop', claimsOf('loop', undefined)],
  ['loop --completion-tag DONE', claimsOf('loop', 'DONE')],
  ['work', claimsOf('work', undefined)],
  ['work with completionResponse DONE', claimsOf('work', 'DONE')],
  ['work on stories', claimsOf('stories', undefined)],
  ['work on stories with completionResponse DONE', claimsOf('stories', 'DONE')],
];

describe.each(RECIPES)('the table of claims holds for ralph %s', (_name, specs) => {
  it.each(rows)('%j: %s', (said, verdict) => {
    const prompt = 'Make the tests pass.';
    expect(saysDone(findClaim(said, specs, prompt))).toBe(verdict === 'yes');
    expect(findNearClaim(said, specs, prompt) !== null).toBe(verdict === 'nearly');
    expect(findClaim(said, specs, said)).toBeNull();
  });
});

it('the table has examples of each', () => {
  expect(rows.map(([, verdict]) => verdict)).toEqual(expect.arrayContaining(['yes', 'nearly', 'no']));
  expect(rows.length).toBeGreaterThanOrEqual(18);
});

describe('a word that the operator configures', () => {
  const file: SettingsFile = { agent: { command: 'claude' }, completionResponse: 'FINISHED' };
  const asked = { over: {}, checks: [], maxIterations: null, allowDirty: true, said: {}, budget: { costUsd: null, timeMs: 0 } };
  const plan: StoryPlan = { project: 'p', branchName: 'b', description: 'd', verifyCommands: [], userStories: [] };
  const stories = { ...asked, plan: 'tasks.json', createBranch: false, reviewAgent: null };
  const work = { ...asked, plan: null, filter: { milestone: null, story: null, tags: [] }, store: null, workers: 1 };
  const place = { cwd: '/project', home: '/project' };

  it.each([
    ['run', runSettings(file, { prompt: { from: 'text', text: 'Do it.' }, over: {} }, '/project'), false],
    ['loop', { claims: claimsOf('loop', 'FINISHED') }, false],
    ['work', workSettings(file, work, { ...place, base: 'main', plan: { kind: 'task-graph', path: 'p.yaml' }, verify: [], store: undefined }), false],
    // Seed 003 knows no other word.
    ['stories', storySettings(file, stories, { ...place, plan }), true],
  ] as const)('is the only one for %s, but that of seed 003', (_recipe, { claims }, keepsItsOwn) => {
    const isClaim = (said: string) => saysDone(findClaim(said, claims, 'Make the tests pass.'));
    expect(isClaim('<promise>FINISHED</promise>')).toBe(true);
    expect(isClaim('<response>DONE</response>')).toBe(false);
    expect(isClaim('<promise>COMPLETE</promise>')).toBe(keepsItsOwn);
  });
});
