import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf } from './examples/blocks.ts';
import { playPage } from './examples/play-page.ts';
import { filesEndingWith, projectRoot } from './project-files.ts';

const pages = ['README.md', ...filesEndingWith('.md', join(projectRoot, 'docs/guide'))];
const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

describe('the examples of the guide', () => {
  it.each(pages)('are run, and print what is shown: %s', { timeout: 300_000 }, async (page) => {
    expect((await playPage(textOf(page))).join('\n\n')).toBe('');
  });

  it('are left out only where nobody can run them', () => {
    const reasons = pages.flatMap((page) =>
      blocksOf(textOf(page)).flatMap(({ marks }) => (marks['not run'] === undefined ? [] : `${page}: ${marks['not run']}`)),
    );
    expect(reasons).toEqual([
      'README.md: it sets up and checks this project itself, as CI does',
      'README.md: it installs into the machine; test/acceptance/the-package-installs.test.ts does it in a folder of its own',
      'README.md: it sets up and checks this project itself, as CI does',
      'docs/guide/first-run.md: tmux needs a terminal',
    ]);
  });
});
