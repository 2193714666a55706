import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deep } from '../support/deep.ts';
import { blocksOf } from './examples/blocks.ts';
import { playPage, whyNotPlayable } from './examples/play-page.ts';
import { filesEndingWith, projectRoot } from './project-files.ts';

const pages = ['README.md', ...filesEndingWith('.md', join(projectRoot, 'docs/guide'))];
const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

/** One page of each recipe, and the first pages for a new reader. */
const first = [
  'README.md',
  ...['first-run', 'your-first-loop', 'the-merge-queue', 'stories-and-review', 'supervising-a-root-agent'].map((name) => `docs/guide/${name}.md`),
];

const play = async (page: string) => expect((await playPage(textOf(page))).join('\n\n')).toBe('');

describe('the examples of the guide', () => {
  it.each(first)('run and print what the page shows: %s', { timeout: 300_000 }, play);

  deep('the first pages of every recipe are played; all pages are read, and each of their commands is parsed', () => {
    it.each(pages.filter((page) => !first.includes(page)))('run and print what the page shows: %s', { timeout: 300_000 }, play);
  });

  it.each(pages)('have existing scenes and valid settings: %s', async (page) => {
    expect(await whyNotPlayable(textOf(page))).toEqual([]);
  });

  it('are skipped only if they cannot be run', () => {
    const reasons = pages.flatMap((page) =>
      blocksOf(textOf(page)).flatMap(({ marks }) => (marks['not run'] === undefined ? [] : `${page}: ${marks['not run']}`)),
    );
    expect(reasons).toEqual([
      'README.md: it sets up and checks this project itself, as CI does',
      'README.md: it installs into the machine; test/acceptance/the-package-installs.test.ts does it in a folder of its own',
      'README.md: it sets up and checks this project itself, as CI does',
      'docs/guide/first-run.md: tmux needs a terminal',
      'docs/guide/sealed-checks.md: needs a project of its own; test/acceptance/sealed-examples-work.test.ts runs it',
      'docs/guide/sealed-checks.md: no settings file',
      'docs/guide/sealed-checks.md: a part of the example',
      'docs/guide/sealed-checks.md: test/acceptance/sealed-examples-work.test.ts runs it',
      'docs/guide/sealed-checks.md: test/acceptance/sandbox/sealed-checks-stay-sealed.test.ts runs it',
      'docs/guide/torture.md: a case of the set; test/acceptance/torture/cheats-are-not-believed.test.ts runs cases of it',
    ]);
  });
});
