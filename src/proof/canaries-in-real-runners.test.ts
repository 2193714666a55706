import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepIt } from '../../test/support/deep.ts';
import { freshTokens } from '../../test/support/fresh-tokens.ts';
import { runBinary } from '../../test/support/run-binary.ts';
import { skipLoudly } from '../../test/support/skip-loudly.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { plantsFor, renamedAlone } from './canaries/plants-for.ts';
import { casesShown, halfShownIn, probesShown, shownIn, testsReported } from './canaries/shown-in.ts';
import { isRedBesides } from './prove/other-names-run.ts';

interface Project {
  readonly runners: readonly string[];
  readonly gate: string;
  readonly files: Readonly<Record<string, string>>;
}

interface Seen {
  /** By how many tests the runner's count grows with the plants; NaN if it prints no number. */
  readonly more: number;
  readonly shown: readonly string[];
  readonly half: readonly string[];
  readonly cases: number;
  /** The number of probed assertions of the files, and of those that reported that they could fail. */
  readonly asked: number;
  readonly said: number;
}

/** Runs the gate in a tiny project whose tests have other names and lines, plants failures into each of its files, and runs the gate again. */
async function plantInto({ runners, gate, files }: Project): Promise<Seen> {
  await using folder = await openThrowAwayFolder();
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder.path, 'node_modules'));
  for (const [path, text] of Object.entries(files)) await write(join(folder.path, path), text);
  const beds = Object.entries(files).map(([path, text]) => ({ path, text, runners, token: freshTokens() }));
  for (const { path, text } of saysHowMany(runners) ? renamedAlone(beds, []) : []) await write(join(folder.path, path), text);
  const green = saysHowMany(runners) ? await run(gate, folder.path) : null;
  for (const [path, text] of Object.entries(files)) await write(join(folder.path, path), text);
  expect(green?.code ?? 0, green?.output).toBe(0);
  const read = (path: string) => readFile(join(folder.path, path), 'utf8').catch(() => null);
  const plants = await plantsFor({ runners, tests: Object.keys(files), sources: [], read, token: freshTokens(), renamesAmong: Object.keys(files) });
  for (const { path, text } of plants) await write(join(folder.path, path), text);
  const red = await run(gate, folder.path);
  expect(red.code, red.output).not.toBe(0);
  const { output } = red;
  expect(isRedBesides({ output }, plants), output).toBe(false);
  const more = count(output) - count(green?.output ?? '');
  const asked = plants.flatMap(({ probes = [] }) => probes).length;
  const said = probesShown(output, plants).length;
  return { more, shown: shownIn(output, plants), half: halfShownIn(output, plants), cases: casesShown(output, plants), asked, said };
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const environment = Object.fromEntries(['PATH', 'HOME'].map((name) => [name, process.env[name] ?? '']));

async function run(gate: string, cwd: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const { code, stdout, stderr } = await runBinary({ file: 'sh', args: ['-c', gate], cwd, env: environment, stdin: '', withinMs: 55_000 });
  return { code, output: stdout + stderr };
}

const saysHowMany = ([runner = '']: readonly string[]) => ['node-test', 'vitest', 'pytest', 'unittest'].includes(runner);
const count = (output: string) => testsReported(output) ?? Number.NaN;

const isMissing = (program: string, ...args: readonly string[]) =>
  skipLoudly(spawnSync(program, args, { timeout: 20_000 }).status === 0 ? null : `${program} ${args.join(' ')} does not run`, 'skip');

const assertFile = "import test from 'node:test';\nimport assert from 'node:assert/strict';\ntest('x', () => assert.equal(1, 1))";

describe('planted cases turn a gate red and show every file that runs', () => {
  it('with node:test', async () => {
    const { shown, half, more, cases, asked, said } = await plantInto({
      runners: ['node-test'],
      gate: 'node --test',
      files: {
        'test/default.test.mjs': assertFile,
        'test/alias.test.mjs': "import { test as t } from 'node:test';\nimport { ok } from 'node:assert';\nt('x', () => ok(1)); // end",
        'test/common.test.cjs': "const { describe, it } = require('node:test');\r\ndescribe('d', () => { it('x', () => {}); it.skip('y', () => {}) })\r\n",
        'test/bare.test.cjs': "if (1 + 1 !== 2) throw new Error('wrong')\nconst last = () => 1\nlast",
        'test/helper.cjs': 'module.exports = 1;\n',
      },
    });
    expect(shown).toEqual(['test/default.test.mjs', 'test/alias.test.mjs', 'test/common.test.cjs', 'test/bare.test.cjs']);
    expect(half).toEqual([]);
    expect(more).toBe(cases);
    expect([asked, said]).toEqual([1, 1]);
  });

  it('with vitest without globals, except in a file that runs only one case', async () => {
    const { shown, half, more, cases, asked, said } = await plantInto({
      runners: ['vitest'],
      gate: 'node node_modules/vitest/vitest.mjs run',
      files: {
        'vitest.config.js': "export default { cacheDir: 'cache' };\n",
        'a.test.ts': "import { expect, test } from 'vitest'\ntest('x', () => { expect(1 as number).toBe(1) })",
        'b.test.tsx': "import { assert, describe, it } from 'vitest';\ndescribe('d', () => { it('x', () => assert.equal(1, 1)); it.skip('y') });\n",
        'own.test.js': "import { scenario } from './own.js';\nscenario('x', () => {});\n",
        'own.js': "import { test } from 'vitest';\nexport const scenario = test;\n",
        'only.test.js': "import { it, expect } from 'vitest';\nit.only('x', () => expect(1).toBe(1));\n",
      },
    });
    expect(shown).toEqual(['a.test.ts', 'b.test.tsx', 'own.test.js']);
    expect(half).toEqual([]);
    expect(more).toBe(cases);
    expect([asked, said]).toEqual([3, 3]);
  });

  it.skipIf(isMissing('python3', '-m', 'pytest', '--version'))('with pytest, for functions, classes, doctests and a program at the end', async () => {
    const { shown, half, more, cases, asked, said } = await plantInto({
      runners: ['pytest'],
      gate: 'python3 -m pytest --doctest-modules',
      files: {
        'conftest.py': '',
        'test_a.py': 'def test_x():\n    assert 1 == 1',
        'test_b.py': 'class TestX:\n\tdef test_x(self):\n\t\tassert True\n\t\t# end',
        'test_c.py': "TEXT = '''\nif __name__ == '__main__':\n'''\n\ndef test_x():\n    assert TEXT\n\nif __name__ == '__main__':\n    test_x()",
        'calc.py': 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n    return a + b\n',
      },
    });
    expect(shown).toEqual(['test_a.py', 'test_b.py', 'test_c.py', 'calc.py']);
    expect(half).toEqual([]);
    expect(more).toBe(cases);
    expect([asked, said]).toEqual([1, 1]);
  });

  it.skipIf(isMissing('python3', '--version'))('with unittest', async () => {
    const head = 'from unittest import TestCase as T, main, skip\n\nclass A(T):\n    def test_x(self):\n';
    const { shown, half, more, cases, asked, said } = await plantInto({
      runners: ['unittest'],
      gate: 'python3 -m unittest',
      files: {
        'test_a.py': `${head}        self.assertEqual(1, 1)\n    @skip('y')\n    def test_y(self): pass\n\nif __name__ == '__main__':\n    main()\n`,
        'test_b.py': `${head}        assert 1 == 1`,
      },
    });
    expect(shown).toEqual(['test_a.py', 'test_b.py']);
    expect(half).toEqual([]);
    expect(more).toBe(cases);
    expect([asked, said]).toEqual([2, 2]);
  });

  (isMissing('go', 'version') ? it.skip : deepIt('the first build of go takes half a minute'))(
    'with go test, except where a TestMain runs nothing',
    async () => {
      const main = (body: string) => `package m\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { ${body} }\n`;
      const { shown, half } = await plantInto({
        runners: ['go-test'],
        gate: 'go test ./...',
        files: {
          'go.mod': 'module x\n\ngo 1.20\n',
          'a_test.go': '//go:build !never\n\n/*\npackage no\n*/\npackage x_test // why\n\nimport tt "testing"\n\nfunc TestA(t *tt.T) {}',
          'b_test.go': 'package x_test\n\nvar helper = 1\n',
          'live/m_test.go': main('os.Exit(m.Run())'),
          'dead/m_test.go': main('os.Exit(0)'),
        },
      });
      expect(shown).toEqual(['a_test.go', 'b_test.go', 'live/m_test.go']);
      expect(half).toEqual([]);
    },
  );

  it.skipIf(isMissing('cargo', '--version'))('with cargo test, in integration tests and in sources', async () => {
    const { shown, half } = await plantInto({
      runners: ['cargo-test'],
      gate: 'cargo test --offline --no-fail-fast',
      files: {
        'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[lib]\ndoctest = false\n',
        'src/lib.rs':
          '#![no_std]\n#![deny(warnings)]\npub fn one() -> i32 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn x() { assert_eq!(super::one(), 1) }\n}',
        'tests/all.rs': '#[test]\r\nfn x() { assert_eq!(x::one(), 1) }\r\n// end',
      },
    });
    expect(shown).toEqual(['src/lib.rs', 'tests/all.rs']);
    expect(half).toEqual([]);
  });
});

it('an assertion that was changed to pass always does not print its token', async () => {
  const { shown, half, asked, said } = await plantInto({
    runners: ['node-test'],
    gate: 'node --import ./patch.mjs --test a.test.mjs',
    files: { 'patch.mjs': "import assert from 'node:assert/strict';\nassert.equal = () => {};\n", 'a.test.mjs': assertFile },
  });
  expect(shown).toEqual(['a.test.mjs']);
  expect(half).toEqual(['a.test.mjs']);
  expect([asked, said]).toEqual([1, 0]);
});

it('a file that node runs directly prints the message of its assertion', async () => {
  const { shown, half } = await plantInto({
    runners: ['node'],
    gate: 'node a.cjs',
    files: { 'a.cjs': "require('assert').equal(1, 1);\nconst assert = require('assert')\nassert(1)" },
  });
  expect(shown).toEqual(['a.cjs']);
  expect(half).toEqual([]);
});
