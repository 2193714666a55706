import { expect, it } from 'vitest';
import { changesBetween, type Files, textTree } from '../../../../test/support/text-tree.ts';
import { tookOver } from './took-over.ts';

const BASE = {
  'src/parse.ts': 'export const parse = (text: string) => JSON.parse(text);\nexport const twice = (n: number) => n * 2;\n',
  'src/use.ts': "import { parse } from './parse.js';\n",
  'scripts/clean.js': 'console.log(1);\n',
  'app.py': 'def add(a, b):\n    return a + b\n',
};

const found = async (claimed: Readonly<Record<string, string | null>>) => {
  const all = Object.fromEntries(Object.entries({ ...BASE, ...claimed }).filter((entry): entry is [string, string] => entry[1] !== null)) as Files;
  const taken = await tookOver({ changes: changesBetween(BASE, all), base: textTree(BASE), claimed: textTree(all) });
  return taken.map(({ path, from }) => `${from} > ${path}`);
};

it.each<[string, Readonly<Record<string, string | null>>, readonly string[]]>([
  ['renamed', { 'src/parse.ts': null, 'src/parse.js': 'anything' }, ['src/parse.ts > src/parse.js']],
  ['moved under another name', { 'src/parse.ts': null, 'lib/text.ts': BASE['src/parse.ts'] }, ['src/parse.ts > lib/text.ts']],
  [
    'moved in part',
    { 'src/parse.ts': "export { parse, twice } from '../scripts/x.js';\n", 'scripts/x.js': 'export const twice = (n: number) => n * 2;' },
    ['src/parse.ts > scripts/x.js'],
  ],
  ['imported', { 'src/use.ts': "import { parse } from './inner.js';\n", 'src/inner.js': 'export const other = 1;' }, ['src/use.ts > src/inner.js']],
  ['imported in Python', { 'app.py': 'from hidden.sums import add\n', 'hidden/sums.py': 'def add(*all):\n    return sum(all)\n' }, ['app.py > hidden/sums.py']],
  ['only added', { 'tools/print.ts': 'console.log(1);' }, []],
  ['imported, where such files always were', { 'src/use.ts': "import './more.js';\n", 'src/more.ts': 'export const more = 1;' }, []],
  ['removed', { 'src/parse.ts': null }, []],
])('a file that was %s takes over code or does not', async (_what, claimed, expected) => {
  expect(await found(claimed)).toEqual(expected);
});
