import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deep } from '../support/deep.ts';
import { blocksOf } from './examples/blocks.ts';
import { playPage, whyNotPlayable } from './examples/play-page.ts';
import { filesEndingWith, projectRoot } from './project-files.ts';

const pages = ['README.md', ...filesEndingWith('.md', join(projectRoot, 'docs/guide'))];
const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

/** One page of each recipe. */
const first = [
  'README.md',
  ...['make-tests-pass', 'work-off-a-plan-overnight', 'review-every-story', 'keep-an-agent-alive'].map((name) => `docs/guide/${name}.md`),
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
    const fleet = 'docs/guide/many-machines.md: it wants a database; test/acceptance/fleet/machines-share-a-plan.test.ts plays it';
    const roles = 'docs/guide/many-machines.md: it wants a database; test/acceptance/fleet/roles-may-do-what-they-need.test.ts plays it';
    expect(reasons).toEqual([
      'README.md: it sets up and checks this project itself, as CI does',
      'README.md: it installs into the machine; test/acceptance/the-package-installs.test.ts does it in a folder of its own',
      ...[fleet, fleet, fleet, fleet, fleet, roles],
      'docs/guide/quotas.md: what is left of an account differs',
      'docs/guide/quotas.md: it wants several agents that are logged in; test/acceptance/agents-take-over.test.ts plays it',
      'docs/guide/torture-and-sealed-checks.md: it needs another loop',
      'docs/guide/torture-and-sealed-checks.md: no settings file',
      'docs/guide/torture-and-sealed-checks.md: a part of the example',
      'docs/guide/torture-and-sealed-checks.md: test/acceptance/sandbox/sealed-checks-stay-sealed.test.ts runs it',
    ]);
  });
});
