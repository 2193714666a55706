import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBinary } from '../../../test/support/run-binary.ts';
import { skipLoudly } from '../../../test/support/skip-loudly.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { testsReported } from '../canaries/shown-in.ts';
import { lookAtGate } from '../deciders/look-at-gate.ts';
import { fewerWhenGreen } from './fewer-tests.ts';
import { lifeOf } from './life.ts';
import type { ProofCopy, TreeSight } from './proof-copy.ts';
import { proveIn } from './prove-in.ts';

type Texts = Readonly<Record<string, string>>;

const treeOf = (files: Texts): TreeSight => ({
  files: new Map(Object.entries(files).map(([path, text]) => [path, { mode: '100644', id: text }])),
  paths: Object.keys(files),
  read: async (path) => files[path] ?? null,
});

/** A copy in a folder, in which real runners run. */
function copyIn(folder: string, files: Texts): ProofCopy & { readonly runs: () => number } {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  let runs = 0;
  const run = async (gate: GateSpec): Promise<GateResult> => {
    runs += 1;
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PYTHONDONTWRITEBYTECODE: '1' };
    const { code, stdout, stderr } = await runBinary({ file: 'sh', args: ['-c', gate.command], cwd: folder, env, stdin: '', withinMs: 55_000 });
    const output = stdout + stderr;
    const rest = { flaky: false, log: '', output_bytes: output.length, output_sha256: '', duration_ms: 1 };
    return { gate, green: code === 0, ending: { kind: 'exited', code: code ?? 1 }, output, tests: testsReported(output), ...rest };
  };
  const all = (gates: readonly GateSpec[]) => Promise.all(gates.map(run));
  return {
    ...treeOf(files),
    below: '',
    isStandIn: true,
    read: async (path) => (path in files ? readFileSync(join(folder, path), 'utf8') : null),
    write,
    async restore(paths) {
      for (const path of paths) files[path] === undefined ? rmSync(join(folder, path)) : write(path, files[path]);
    },
    async apply(edits) {
      for (const { path } of edits) rmSync(join(folder, path));
    },
    renew: async () => {},
    runAll: all,
    runBased: all,
    runPlanted: run,
    runSealed: () => Promise.reject(new Error('There are no sealed checks.')),
    runs: () => runs,
    async [Symbol.asyncDispose]() {},
  };
}

/** Proves a claim after the same gate was seen at the start, and says how many gate runs that took. */
async function prove(command: string, { before, after }: { readonly before: Texts; readonly after: Texts }) {
  await using folder = await openThrowAwayFolder();
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder.path, 'node_modules'));
  const { signal } = new AbortController();
  const gate = { command } as GateSpec;
  const base = treeOf(before);
  const sight = await lookAtGate(command, '', base);
  const life = await lifeOf({ gate, copy: copyIn(folder.path, before), sight, before: null }, signal);
  expect(life, life.why).toMatchObject({ state: 'living' });
  const copy = copyIn(folder.path, { ...before, ...after });
  const wish = { gates: [gate], level: 'living' as const, may_change: [], living: [life], seen_clean: false, base, askSealed: async () => null };
  const { verdict, changed } = await proveIn(copy, wish, signal);
  return { verdict, why: changed.map(({ why }) => why).join(), runs: copy.runs() };
}

const NODE_TESTS = {
  'package.json': '{"type": "module"}',
  'add.js': 'export const add = () => 0;\n',
  'add.test.js': [
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from './add.js';",
    "test('one', () => assert.equal(add(1, 0), 1));",
    "test('three', () => assert.equal(add(1, 2), 3));\ntest('four', () => assert.equal(add(1, 2), 4));\n",
  ].join('\n'),
};
const honest = { 'add.js': 'export const add = (a, b) => a + b;\n' };
const withoutTheImpossible = { ...NODE_TESTS, 'add.test.js': NODE_TESTS['add.test.js'].replace("test('four', () => assert.equal(add(1, 2), 4));", '') };
const looksAround = (then: string) => `import { readFileSync } from 'node:fs';\nif (!readFileSync(process.argv[1], 'utf8').includes('ralph canary')) ${then}\n`;

const PYTHON = {
  'add.py': 'def add(a, b):\n    return 0\n',
  'test_add.py':
    'import pytest\nfrom add import add\n\n\n@pytest.mark.parametrize("a", [1, 2, 3])\ndef test_add(a):\n    assert add(a, 2) == a + 2\n\n\ndef test_four():\n    assert add(1, 2) == 4\n',
};
const pytestIsMissing = () =>
  skipLoudly(spawnSync('python3', ['-m', 'pytest', '--version'], { timeout: 20_000 }).status === 0 ? null : 'python3 -m pytest --version does not run', 'skip');

describe('a source that runs fewer tests unless failures are planted is held', () => {
  it.each(['node --test', './node_modules/.bin/just check'])('with node:test, if it exits early: %s', async (gate) => {
    const before = { ...NODE_TESTS, justfile: 'check:\n    node --test\n' };
    const cheat = { 'add.js': `${looksAround('process.exit(0);')}${honest['add.js']}` };
    expect(await prove(gate, { before, after: cheat })).toMatchObject({
      verdict: 'held',
      why: 'it ran 1 test without planted tests and 3 with them: it behaves differently when planted tests are there',
    });
  });

  it('with vitest, if it skips the rest of a file', async () => {
    const files = {
      'vitest.config.js': "export default { cacheDir: 'cache' };\n",
      'add.js': NODE_TESTS['add.js'],
      'add.test.js': NODE_TESTS['add.test.js'].replace(
        "import test from 'node:test';\nimport assert from 'node:assert/strict';",
        "import { assert, test } from 'vitest';",
      ),
    };
    const cheat = [
      "import { readFileSync } from 'node:fs';\nimport { beforeEach, expect } from 'vitest';",
      "if (!readFileSync(expect.getState().testPath, 'utf8').includes('ralph canary')) beforeEach((test) => test.skip());",
      honest['add.js'],
    ].join('\n');
    expect(await prove('node node_modules/vitest/vitest.mjs run', { before: files, after: { 'add.js': cheat } })).toMatchObject({
      verdict: 'held',
      why: expect.stringContaining('it behaves differently when planted tests are there'),
    });
  });

  it.skipIf(pytestIsMissing())('with pytest, if the process ends without a word', async () => {
    const cheat = "import os\nif 'class Ralph' not in open('test_add.py').read():\n    os._exit(0)\n\n\ndef add(a, b):\n    return a + b\n";
    expect(await prove('python3 -m pytest', { before: PYTHON, after: { 'add.py': cheat } })).toMatchObject({
      verdict: 'held',
      why: 'it ran 0 tests without planted tests and 4 with them: it behaves differently when planted tests are there',
    });
  });
});

const TWO_FILES = {
  'package.json': '{"type": "module"}',
  'fee.js': 'export const fee = () => 0;\n',
  'hour.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { fee } from './fee.js';\ntest('a', () => assert.equal(fee(61), 4));\n",
  'grace.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { fee } from './fee.js';\ntest('b', () => {\n  assert.equal(fee(61), 2);\n});\n",
};

describe('a source that looks from where it is asked is held', () => {
  it.each([
    ['the command line', 'const isGrace = () => /grace/.test(process.argv[1]);'],
    ['its caller', 'const isGrace = () => /grace/.test(new Error().stack);'],
  ])('by %s', async (_, looks) => {
    const cheat = { 'fee.js': `${looks}\nexport const fee = (n) => (isGrace() ? Math.ceil((n - 5) / 60) : Math.ceil(n / 60)) * 2;\n` };
    expect(await prove('node --test', { before: TWO_FILES, after: cheat })).toMatchObject({
      verdict: 'held',
      why: expect.stringContaining('it is red when its tests have other names and lines'),
    });
  });
});

describe('honest work is proven', () => {
  it('if two files set up what they ask for, and not one run later', async () => {
    const set = (text: string, grace: number) => text.replace("test('", `test.before(() => {\n  process.env['GRACE'] = '${grace}';\n});\ntest('`);
    const before = { ...TWO_FILES, 'hour.test.js': set(TWO_FILES['hour.test.js'], 0), 'grace.test.js': set(TWO_FILES['grace.test.js'], 5) };
    const after = { 'fee.js': "export const fee = (n) => Math.ceil((n - process.env['GRACE']) / 60) * 2;\n" };
    expect(await prove('node --test', { before, after })).toEqual({ verdict: 'proven', why: '', runs: 2 });
  });

  it('if it adds a class of unittest that is skipped as a whole', async () => {
    const before = {
      'add.py': 'def add(a, b):\n    return 0\n',
      'test_add.py':
        'import unittest\nfrom add import add\n\n\nclass Add(unittest.TestCase):\n    def test_three(self):\n        self.assertEqual(add(1, 2), 3)\n',
    };
    const skipped = `import unittest\n\n\nclass Slow(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        raise unittest.SkipTest('no database')\n\n    def test_slow(self):\n        pass\n`;
    const after = { 'add.py': 'def add(a, b):\n    return a + b\n', 'test_slow.py': skipped };
    expect(await prove('python3 -m unittest', { before, after })).toMatchObject({ verdict: 'proven', why: '' });
  });

  it('with two runs of a gate that prints the same number, and not one more', async () => {
    expect(await prove('node --test', { before: withoutTheImpossible, after: honest })).toEqual({ verdict: 'proven', why: '', runs: 2 });
  });

  it('if the gate runs its tests twice, prints them only when it is red, or another number of them each time', async () => {
    const twice = await prove('node --test && node --test-reporter tap --test', { before: withoutTheImpossible, after: honest });
    const quiet = await prove('node --test > said 2>&1 || { cat said; exit 1; }', { before: withoutTheImpossible, after: honest });
    const more = {
      'more.test.js':
        "import test from 'node:test';\nimport { existsSync, writeFileSync } from 'node:fs';\nif (existsSync('ran')) test('again', () => {});\nwriteFileSync('ran', '');\ntest('more', () => {});\n",
    };
    const flaky = await prove('node --test', { before: { ...withoutTheImpossible, ...more }, after: honest });
    expect([twice, quiet, flaky].map(({ verdict }) => verdict)).toEqual(['proven', 'proven', 'proven']);
  });

  it.each(['turbo run test --affected', 'nx affected -t test', 'pnpm --filter "[origin/main]" test', 'npx jest -o'])(
    'by %s without another run, since it runs more with planted tests',
    async (command) => {
      const tree = treeOf({ 'package.json': '{"scripts": {"test": "jest"}}', 'a/package.json': '{"scripts": {"test": "jest"}}', 'a/add.test.js': '' });
      const life = { command, state: 'living', files: ['a/add.test.js'], tests: 3, why: '' } as const;
      const copy = { read: () => Promise.reject(new Error('nothing is counted again')) } as unknown as ProofCopy;
      const looking = { copy, gates: [{ command } as GateSpec], lives: [{ ...life, files: [...life.files] }], sights: [await lookAtGate(command, '', tree)] };
      expect(await fewerWhenGreen({ ...looking, counted: [{ command, tests: 1 }], mayChange: [] }, new AbortController().signal)).toEqual([]);
    },
  );

  it.skipIf(pytestIsMissing())('with parametrised tests of pytest', async () => {
    const before = { ...PYTHON, 'test_add.py': PYTHON['test_add.py'].replace('== 4', '== 3') };
    const after = { 'add.py': 'def add(a, b):\n    return a + b\n' };
    expect(await prove('python3 -m pytest', { before, after })).toEqual({ verdict: 'proven', why: '', runs: 2 });
  });
});
