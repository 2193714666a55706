import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPlan } from '../../src/plans/find/find-plan.ts';
import { FORMS } from '../../src/plans/forms.ts';
import { openPlanStore } from '../../src/plans/open-plan-store.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';
import { blocksOf } from './examples/blocks.ts';
import { projectRoot } from './project-files.ts';

const page = readFileSync(join(projectRoot, 'docs/guide/plans-you-already-have.md'), 'utf8');
const samples = blocksOf(page).flatMap(({ marks, lines }) => (marks.writes === undefined ? [] : [{ path: marks.writes, text: `${lines.join('\n')}\n` }]));

describe('the page on plans of other tools', () => {
  it.each(samples)('has a sample that is recognised and has no problem: $path', async ({ path, text }) => {
    await using folder = await openThrowAwayFolder();
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
    const found = await findPlan(folder.path, path === 'TODO.md' ? path : null);
    const reading = await openPlanStore({ ...found, top: folder.path, cacheFolder: null }).read();
    expect(found.path).toBe(path);
    expect(reading?.problems).toEqual([]);
    expect(reading?.plan?.tasks.some(({ status }) => status === 'pending')).toBe(true);
  });

  it('has one for every form that is not our own', async () => {
    const kinds = FORMS.filter((form) =>
      samples.some(({ path, text }) => FORMS.find((each) => each.recognises({ top: '', path, isFolder: false, text: () => text }, true)) === form),
    ).map(({ kind }) => kind);
    expect(kinds).toEqual(FORMS.filter(({ rank }) => rank > 1).map(({ kind }) => kind));
  });
});
