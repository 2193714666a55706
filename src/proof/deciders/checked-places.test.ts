import { expect, it } from 'vitest';
import { inCheckingOrder } from './checked-places.ts';
import { lookAtGate } from './look-at-gate.ts';

const FILES = ['examples/a.ts', 'examples/b.ts', 'packages/web/src/c.ts', 'packages/web/tsconfig.json', 'src/a.py', 'src/deep/b.py', 'z.py'];
const placesOf = async (command: string, cwd = '') => (await lookAtGate(command, cwd, { paths: FILES, read: async () => null })).checked;

it.each<[string, readonly string[]]>([
  ['mypy src', ['src']],
  ['ruff check --select E src/deep z.py', ['src/deep', 'z.py']],
  ['npx eslint "packages/**/*.ts"', ['packages']],
  ['npx tsc -p packages/web/tsconfig.json', ['packages/web']],
  ['npx tsc --project=packages/web', ['packages/web']],
  ['npx prettier --check .', []],
  ['go vet ./src/...', ['src']],
  ['npx tsc --noEmit', []],
])('%j names %j', async (command, named) => {
  expect((await placesOf(command)).named).toEqual(named);
});

it('sources that the command names come first, then those below its folder, then the others', async () => {
  expect(inCheckingOrder(FILES, await placesOf('mypy src/deep'))[0]).toBe('src/deep/b.py');
  expect(inCheckingOrder(FILES, await placesOf('cd packages/web && npx tsc')).slice(0, 2)).toEqual(['packages/web/tsconfig.json', 'packages/web/src/c.ts']);
});

it('the first sources are of all folders, however many files the first one has', () => {
  const many = Array.from({ length: 30 }, (_, at) => `docs/${at % 9}/f${at}.ts`);
  const order = inCheckingOrder([...many, 'node_modules/x/i.ts', 'src/deep/er/a.ts'], { named: [], folders: [''] });
  expect(order.slice(0, 3)).toEqual(['docs/0/f0.ts', 'src/deep/er/a.ts', 'docs/1/f1.ts']);
  expect(order).toHaveLength(32);
  expect(order.at(-1)).toBe('node_modules/x/i.ts');
});
