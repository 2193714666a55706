import { describe, expect, it } from 'vitest';
import { type Files, textTree } from '../../../test/support/text-tree.ts';
import { lookAtGate } from './look-at-gate.ts';

describe('tests that no runner finds by their names are deciders too:', () => {
  it.each<[string, Files, Readonly<Record<string, string | null>>]>([
    [
      'node tools/run-specs.js',
      {
        'tools/run-specs.js': "const { folder, known } = JSON.parse(readFileSync('specs.json'));\nfor (const file of readdirSync(folder)) require(file);",
        'specs.json': '{ "folder": "checks", "known": [] }',
        'checks/timer.js': "spec('x', () => assert.strictEqual(parse('1h'), 60))",
        'data/prices.json': '{}',
        'src/parse.js': '',
      },
      {
        'tools/run-specs.js': 'test',
        'specs.json': 'test',
        'checks/timer.js': 'test',
        'checks/help.js': 'test',
        'data/prices.json': null,
        'src/parse.js': null,
      },
    ],
    [
      'node tools/check-links.js',
      { 'tools/check-links.js': "for (const file of readdirSync('docs')) if (!ok(file, 'links.json')) process.exit(1);", 'docs/a.md': '', 'links.json': '[]' },
      { 'tools/check-links.js': 'test', 'docs/a.md': null, 'links.json': null },
    ],
    [
      'npx tsc --noEmit',
      {
        'test/expect.ts': 'export type Expect<T extends true> = T;',
        'test/shop.ts': "import type { Expect } from './expect.js';\nimport { world } from './world.js';\nexport type A = Expect<true>;",
        'test/world.ts': 'export const world = 1;',
        'test/plain.ts': "it('x', () => total(1));",
      },
      { 'test/expect.ts': 'test', 'test/shop.ts': 'test', 'test/world.ts': 'test', 'test/plain.ts': null, 'src/a.ts': null },
    ],
  ])('%s', async (command, files, expected) => {
    const sight = await lookAtGate(command, '', textTree(files));
    expect(Object.fromEntries(Object.keys(expected).map((path) => [path, sight.decides(path)]))).toEqual(expected);
  });
});
