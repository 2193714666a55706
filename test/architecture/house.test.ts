import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly isMet: boolean;
}

const house = (name: string) => import(pathToFileURL(join(import.meta.dirname, '../../scripts/house', name)).href);

async function figuresOf(tree: Readonly<Record<string, string>>): Promise<Record<string, Figure>> {
  await using folder = await openThrowAwayFolder();
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  const [{ readTree }, { treeFigures }] = [await house('source-tree.mjs'), await house('tree-figures.mjs')];
  return Object.fromEntries(treeFigures(readTree(folder.path)).map((figure: Figure) => [figure.name, figure]));
}

const LONG = 'x;\n'.repeat(301);

it('the source figures are counted for any tree: files, lines, tiny files, crowded folders and imports between rooms', async () => {
  const figures = await figuresOf({
    'index.ts': "export { a } from './one/a.ts';\n",
    'one/a.ts': `import type { B } from '../two/b.ts';\nimport { c } from './c.ts';\n${LONG}`,
    'one/c.ts': "const later = () => import('../two/b.ts');\n",
    'one/c.test.ts': "import { b } from '../two/b.ts';\n",
    'two/b.ts': 'export type B = 1;\n',
  });
  expect(figures['production files']).toMatchObject({ value: '4', isMet: true });
  expect(figures['lines']).toMatchObject({ value: '306' });
  expect(figures['largest file']).toMatchObject({ value: '303 (one/a.ts)', isMet: false });
  expect(figures['one importer and under 30 lines']).toMatchObject({ value: '25.0 %', isMet: false });
  expect(figures['imports from room to room']).toMatchObject({ value: '3' });
});

it('a folder with more than twenty files is named at any depth', async () => {
  const crowd = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a/b/c/f${n}.ts`, 'x;\n']));
  expect((await figuresOf({ ...crowd, 'a/b/d.ts': '' }))['folders with over 20 loose files']).toMatchObject({ value: 'a/b/c: 21', isMet: false });
  expect((await figuresOf({ 'a.ts': '' }))['folders with over 20 loose files']).toMatchObject({ value: 'none', isMet: true });
});
