import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMS } from '../../src/plans/forms.ts';
import { filesEndingWith, projectRoot } from '../docs/project-files.ts';

const LIST = 'src/plans/forms.ts';
const sources = filesEndingWith('.ts', join(projectRoot, 'src'))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));

/** The folder in which a form is defined. */
function folderOf(kind: string): string {
  const definition = sources.find(({ text }) => text.includes(`kind: '${kind}',\n  called:`));
  return definition?.path.replace(/[^/]*$/, '') ?? `no folder defines ${kind}`;
}

/** The files that a source imports, from the project's root. */
function importsOf({ path, text }: (typeof sources)[number]): readonly string[] {
  return [...text.matchAll(/from '(\.[^']*)'/g)].map((found) => posix.join(posix.dirname(path), found[1] ?? ''));
}

describe('a form of plans', () => {
  it.each(FORMS.map(({ kind }) => kind))('is one folder, and of all other files only the list of forms names it: %s', (kind) => {
    const folder = folderOf(kind);
    const others = sources.filter(({ path }) => !path.startsWith(folder));
    const importers = others.filter((source) => importsOf(source).some((path) => path.startsWith(folder)));
    expect(importers.map(({ path }) => path)).toEqual([LIST]);
    const asks = new RegExp(`kind (?:===|!==) '${kind}'|kind: '${kind}'`);
    const naming = others.filter(({ path, text }) => asks.test(text) && (path.startsWith('src/plans/') || text.includes('plans/find/')));
    expect(naming.map(({ path }) => path)).toEqual([]);
  });

  it('has a kind and a name of its own', () => {
    for (const part of ['kind', 'called'] as const) expect(new Set(FORMS.map((form) => form[part])).size).toBe(FORMS.length);
  });
});
