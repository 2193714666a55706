import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesEndingWith, projectRoot } from './project-files.ts';

const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

/** A word has a letter or a figure: the bars of a table are none. Examples count. */
const wordsIn = (page: string) => textOf(page).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

/** What a user reads: the README and docs/, but for decisions, research, what is generated, and the list of deviations, which has a bound of its own. */
const pages = () => [
  'README.md',
  ...filesEndingWith('.md', join(projectRoot, 'docs')).filter((page) => !/^docs\/(adr\/|research\/|reference\/|deviations\.md)/.test(page)),
];

describe('the length of the docs', () => {
  it('is at most 25,000 words, so that somebody can read it', () => {
    expect(pages().reduce((sum, page) => sum + wordsIn(page), 0)).toBeLessThanOrEqual(25_000);
  });

  it('is at most 2,000 words for the security policy and the page of the plugin', () => {
    expect(wordsIn('SECURITY.md') + wordsIn('plugin/README.md')).toBeLessThanOrEqual(2000);
  });

  it('is at most 3,300 words for what departs from the seeds', () => expect(wordsIn('docs/deviations.md')).toBeLessThanOrEqual(3300));

  it('is at most 150 lines for the README', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});
