import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { runBinary } from '../../../test/support/run-binary.ts';
import { changesBetween, type Files, textTree } from '../../../test/support/text-tree.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { tookOver } from '../deciders/changes/took-over.ts';
import { lookAtGate } from '../deciders/look-at-gate.ts';
import { leftUnchecked } from './left-unchecked.ts';
import type { LifeCopy } from './planted-run.ts';

interface Claim {
  readonly gate: string;
  readonly base: Files;
  readonly claimed: Files;
}

/** The files that the gate no longer looks at, asked in a real folder. */
async function hiddenIn({ gate, base, claimed }: Claim): Promise<{ readonly hidden: readonly string[]; readonly runs: number }> {
  await using folder = await openThrowAwayFolder();
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder.path, 'node_modules'));
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  };
  for (const [path, text] of Object.entries(claimed)) await put(path, text);
  let runs = 0;
  const written = new Map<string, string>();
  const copy = {
    ...textTree(claimed),
    files: new Map(Object.keys(claimed).map((path) => [path, { mode: '100644', id: path }])),
    write: (path: string, text: string) => void written.set(path, text),
    restore: async (paths: readonly string[]) => {
      for (const path of paths) await (claimed[path] === undefined ? rm(join(folder.path, path)) : put(path, claimed[path]));
    },
    apply: async () => {},
    runPlanted: async (): Promise<GateResult> => {
      runs += 1;
      for (const [path, text] of written) await put(path, text);
      written.clear();
      const env = { PATH: process.env['PATH'] ?? '', HOME: folder.path };
      const { code, stdout, stderr } = await runBinary({ file: 'sh', args: ['-c', gate], cwd: folder.path, env, stdin: '', withinMs: 55_000 });
      return { green: code === 0, ending: { kind: 'exited', code }, output: stdout + stderr } as GateResult;
    },
  } satisfies LifeCopy;
  const taken = await tookOver({ changes: changesBetween(base, claimed), base: textTree(base), claimed: copy });
  const sights = [await lookAtGate(gate, '', textTree(base))];
  const left = await leftUnchecked(
    { gates: [{ command: gate } as GateSpec], sights, base: textTree(base), copy, tookOver: taken },
    new AbortController().signal,
  );
  for (const [path, text] of Object.entries(claimed)) expect(await readFile(join(folder.path, path), 'utf8')).toBe(text);
  return { hidden: left.map(({ path }) => path), runs };
}

const TSC = {
  'package.json': '{"type":"module"}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","target":"es2022","types":[],"lib":["es5"]},"include":["src"]}',
  'src/use.ts': "import { parse } from './parse.js';\nexport const sum: number = parse('1');\n",
};
const PARSE = 'export const parse = (text: string): number => JSON.parse(text).length;\n';
const tsc = 'node node_modules/typescript/bin/tsc';

const parsing = { ...TSC, 'src/parse.ts': PARSE };

it('code that was renamed out of sight of a compiler is found', async () => {
  const hidden = { ...TSC, 'src/parse.js': 'export const parse = (text) => text;\n', 'src/parse.d.ts': 'export function parse(text: string): number;\n' };
  expect(await hiddenIn({ gate: tsc, base: parsing, claimed: hidden })).toEqual({ hidden: ['src/parse.js'], runs: 2 });
});

it('code that a compiler still sees costs one run, wherever it went', async () => {
  const moved = { ...TSC, 'src/use.ts': TSC['src/use.ts'].replace('./', './text/'), 'src/text/parse.ts': PARSE };
  expect(await hiddenIn({ gate: tsc, base: parsing, claimed: moved })).toEqual({ hidden: [], runs: 1 });
});

it('code that a linter rejects where it was is found wherever it went, also with tests in the same gate; code in order may go anywhere', async () => {
  const settings = {
    'biome.json':
      '{"root":true,"linter":{"rules":{"recommended":false}},"overrides":[{"includes":["src/**"],"linter":{"rules":{"suspicious":{"noDoubleEquals":"error"}}}}]}',
  };
  const claim = (line: string, moved: boolean) => ({ ...settings, 'src/main.js': 'export const main = 1;\n', [moved ? 'lib/same.js' : 'src/same.js']: line });
  const loose = 'export const same = (a, b) => a == b;\n';
  const strict = 'export const same = (a, b) => a === b;\n';
  const gate = 'node node_modules/@biomejs/biome/bin/biome lint .';
  expect(await hiddenIn({ gate, base: claim(loose, false), claimed: claim(loose, true) })).toEqual({ hidden: ['lib/same.js'], runs: 1 });
  const test = { 'test/a.test.js': 'export const tested = 1;\n' };
  const both = { gate: `${gate} && node --test`, base: { ...claim(loose, false), ...test }, claimed: { ...claim(loose, true), ...test } };
  expect((await hiddenIn(both)).hidden).toEqual(['lib/same.js']);
  expect(await hiddenIn({ gate, base: claim(loose, false), claimed: claim(strict, true) })).toEqual({ hidden: [], runs: 1 });
});
