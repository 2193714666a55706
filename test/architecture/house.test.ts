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

const SRC = join(import.meta.dirname, '../../src');
const LONG = 'x;\n'.repeat(301);

it('the source figures are counted for any tree: files, lines, tiny files, crowded folders and imports between rooms', async () => {
  const figures = await figuresOf({
    'index.ts': "export { a } from './one/a.ts';\n",
    'one/a.ts': `import type { B } from '../two/b.ts';\nimport { c } from './c.ts';\n${LONG}`,
    'one/c.ts': "const later = () => import('../two/b.ts');\n",
    'one/c.test.ts': "import { b } from '../two/b.ts';\n",
    'two/b.ts': 'export type B = 1;\n',
    'two/page.tsx': "import { b } from './b.ts';\n",
    'two/main.ts': "import { page } from './page.tsx';\n",
  });
  expect(figures['production files']).toMatchObject({ value: '6', isMet: true });
  expect(figures['lines']).toMatchObject({ value: '308', isMet: true });
  expect(figures['largest file']).toMatchObject({ value: '303 (one/a.ts)', isMet: false });
  expect(figures['one importer and under 30 lines']).toMatchObject({ value: '2', isMet: true });
  expect(figures['imports from room to room']).toMatchObject({ value: '3' });
});

it('the source has no more files, lines, tiny files and crowded folders than the house allows', async () => {
  const [{ readTree }, { treeFigures }] = [await house('source-tree.mjs'), await house('tree-figures.mjs')];
  const figures: readonly Figure[] = treeFigures(readTree(SRC));
  expect(figures.filter(({ isMet }) => !isMet)).toEqual([]);
});

it('one tiny file more than the house allows is told', async () => {
  const tiny = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`a${n % 10}/f${n}.ts`, n < 60 ? 'x;\n' : `import '../a${n % 10}/f${n - 60}.ts';\n`]));
  expect((await figuresOf(tiny))['one importer and under 30 lines']).toMatchObject({ value: '60', isMet: false });
});

it('a folder with more than twenty files is named at any depth', async () => {
  const crowd = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a/b/c/f${n}.ts`, 'x;\n']));
  expect((await figuresOf({ ...crowd, 'a/b/d.ts': '' }))['folders with over 20 loose files']).toMatchObject({ value: 'a/b/c: 21', isMet: false });
  expect((await figuresOf({ 'a.ts': '' }))['folders with over 20 loose files']).toMatchObject({ value: 'none', isMet: true });
});

it('questions which recipe a run has are counted outside of the folder that chooses it, and lines that stand in two files', async () => {
  const asking = "if (settings.recipe === 'work' || 'loop' in settings || other === null) switch (run.settings.recipe) {}\n";
  const lines = Array.from({ length: 7 }, (_, n) => `go(${n});\n`).join('');
  const { readTree } = await house('source-tree.mjs');
  const { repeatsIn, textFigures } = await house('text-figures.mjs');
  await using folder = await openThrowAwayFolder();
  for (const [path, text] of Object.entries({
    'a.ts': asking + lines,
    'b.ts': `import {\n  x,\n} from './a.ts';\n// again\n${lines}`,
    'runs/recipes/c.ts': asking,
  })) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  const files = readTree(folder.path);
  expect(textFigures(files).map(({ value }: Figure) => value)).toEqual(['3', '1']);
  expect(repeatsIn(files)).toEqual(['b.ts: go(0);']);
});

it('the source asks nowhere else which recipe a run has, and says almost nothing twice', async () => {
  const [{ readTree }, { textFigures }] = [await house('source-tree.mjs'), await house('text-figures.mjs')];
  const figures: readonly Figure[] = textFigures(readTree(SRC));
  expect(figures.filter(({ isMet }) => !isMet)).toEqual([]);
});
