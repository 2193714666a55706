import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { brokenLinksOf } from './links.ts';
import { anchorsOf, linksOf } from './markdown.ts';
import { filesEndingWith, projectRoot } from './project-files.ts';

// Files in templates/ are copied into other projects, so their links are for those projects.
const pages = filesEndingWith('.md').filter((file) => !file.startsWith('templates/'));

describe('the links of the docs', () => {
  it.each(pages)('lead somewhere: %s', (page) => {
    expect(brokenLinksOf(page, projectRoot)).toEqual([]);
  });
});

describe('looking for broken links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-links-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const brokenIn = (markdown: string) => {
    mkdirSync(join(folder, 'docs'), { recursive: true });
    writeFileSync(join(folder, 'README.md'), '# Ralph\n\n## First run\n');
    writeFileSync(join(folder, 'docs/page.md'), markdown);
    return brokenLinksOf('docs/page.md', folder);
  };

  it('accepts files and headings of any page, and ignores web links', () => {
    expect(brokenIn('# Top\n[a](../README.md) [b](../README.md#first-run) [c](#top) [d](https://nowhere.invalid/) ![e](page.md "title")')).toEqual([]);
  });

  it('names a missing file, a missing heading and a link out of the project', () => {
    expect(brokenIn('[a](gone.md) [b](../README.md#gone) [c](../../x.md)')).toEqual([
      'gone.md: no such file',
      '../README.md#gone: no such heading',
      '../../x.md: leads out of the project',
    ]);
  });

  it('names a missing file of the project', () => {
    expect(brokenIn('see `src/gone.ts`, `src/*.md` and `elsewhere/x.ts`')).toEqual(['src/gone.ts: no such file']);
  });

  it('names absolute links and paths of one machine', () => {
    expect(brokenIn(`[a](/etc/passwd) see /home/me/notes and ${folder}/x`)).toEqual([
      '/etc/passwd: not a relative link',
      '/home/me: a path of one machine',
      `${folder}: a path of one machine`,
    ]);
  });

  it('reads no links in code', () => {
    expect(linksOf('`[a](b.md)`\n```\n[c](d.md)\n```\n[e]: f.md\n<img src="g.png">')).toEqual(['f.md', 'g.png']);
  });

  it('spells headings as the forges do', () => {
    const page = '# Exit codes & `stop_reason`\n## A, b: c\n## A, b: c\n### [Link](x.md) — here\n<a id="own"></a>\n```\n# no heading\n```';
    expect([...anchorsOf(page)]).toEqual(['own', 'exit-codes--stop_reason', 'a-b-c', 'a-b-c-1', 'link--here']);
  });
});
