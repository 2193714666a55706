import { describe, expect, it } from 'vitest';
import { type Files, type PassOf, passOf } from '../../../test/support/text-tree.ts';

const whys = async (command: string, base: Files, claimed: PassOf['claimed']) =>
  (await passOf({ command, base, claimed })).changed.map(({ path, why }) => `${path}: ${why}`);

const vitest: Files = {
  'package.json': JSON.stringify({ scripts: { test: 'vitest run' } }),
  'src/hi.ts': 'export const hi = () => 1;\n',
  'src/hi.test.ts': "import { expect, it } from 'vitest';\nimport { hi } from './hi.ts';\nit('says hi', () => expect(hi()).toMatchSnapshot());\n",
  'src/__snapshots__/hi.test.ts.snap': 'exports[`says hi 1`] = `1`;\n',
};
const pytest: Files = {
  'pyproject.toml': '[project]\nname = "app"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
  'app/add.py': 'def add(a, b):\n    return a - b\n',
  'tests/test_add.py': 'import pytest\nfrom app.add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n',
};
const rust: Files = {
  'Cargo.toml': '[package]\nname = "x"\n',
  'src/lib.rs': 'pub fn add() -> i32 { 1 }\n',
  'tests/add.rs': '#[test]\nfn adds() { assert_eq!(x::add(), 3); }\n',
};
const go: Files = {
  'go.mod': 'module x\n',
  'add.go': 'package x\n',
  'add_test.go': 'package x\n\nfunc TestAdd(t *testing.T) { if Add() != 3 { t.Fatal() } }\n',
};
const lint: Files = {
  'package.json': JSON.stringify({ scripts: { lint: 'eslint . && tsc' } }),
  'eslint.config.js': 'export default [];\n',
  'src/a.ts': 'const a = 1;\n',
  'tsconfig.json': '{"strict":true}',
};

describe('the base pass reports a changed decider of', () => {
  it.each<[string, string, Files, PassOf['claimed'], readonly string[]]>([
    [
      'vitest: the snapshot',
      'npm test',
      vitest,
      { 'src/__snapshots__/hi.test.ts.snap': 'exports[`says hi 1`] = `2`;\n' },
      ['src/__snapshots__/hi.test.ts.snap: a snapshot changed'],
    ],
    [
      'vitest: a configuration',
      'npm test',
      vitest,
      { 'vitest.config.ts': 'export default { test: { exclude: ["**"] } }' },
      ['vitest.config.ts: new configuration'],
    ],
    [
      'vitest: a key',
      'npm test',
      vitest,
      { 'package.json': '{"scripts":{"test":"vitest run"},"vitest":{"x":1}}' },
      ['package.json: "vitest" in package.json changed'],
    ],
    ['vitest: an invalid package.json', 'npm test', vitest, { 'package.json': '{' }, ['package.json: configuration changed']],
    [
      'vitest: a test that became a source',
      'npm test',
      vitest,
      { 'src/hi.test.ts': null, 'src/hi.tests.ts': vitest['src/hi.test.ts'] ?? '' },
      ['src/hi.test.ts: an existing test was removed'],
    ],
    [
      'pytest: a hook',
      'pytest',
      pytest,
      { 'tests/conftest.py': 'def pytest_sessionfinish(session): session.exitstatus = 0\n' },
      ['tests/conftest.py: new configuration'],
    ],
    ['pytest: a module of its own name', 'python -m pytest', pytest, { 'pytest.py': 'exit(0)\n' }, ['pytest.py: new configuration']],
    ['pytest: a start of Python', 'pytest', pytest, { 'sitecustomize.py': 'import os\n' }, ['sitecustomize.py: new configuration']],
    [
      'pytest: an option',
      'pytest',
      pytest,
      { 'pyproject.toml': `${pytest['pyproject.toml']}addopts = "-k nothing"\n` },
      ['pyproject.toml: [tool.pytest.ini_options] in pyproject.toml changed'],
    ],
    ['pytest: an empty pytest.ini, which comes before pyproject.toml', 'pytest', pytest, { 'pytest.ini': '' }, ['pytest.ini: new configuration']],
    [
      'pytest: a mark',
      'pytest',
      pytest,
      { 'tests/test_add.py': pytest['tests/test_add.py']?.replace('def', '@pytest.mark.skip\ndef') ?? '' },
      ['tests/test_add.py: an existing test changed'],
    ],
    ['pytest: a patch in the folder', 'pytest', pytest, { 'tests/__init__.py': 'import app.add\n' }, ['tests/__init__.py: new configuration']],
    ['unittest: a module of its own name', 'python -m unittest', pytest, { 'unittest/__init__.py': '' }, ['unittest/__init__.py: new configuration']],
    [
      'cargo: an ignored test',
      'cargo test',
      rust,
      { 'tests/add.rs': rust['tests/add.rs']?.replace('fn', '#[ignore]\nfn') ?? '' },
      ['tests/add.rs: an existing test changed'],
    ],
    [
      'cargo: tests that are not found',
      'cargo test',
      rust,
      { 'Cargo.toml': '[package]\nname = "x"\nautotests = false\n' },
      ['Cargo.toml: [package] in Cargo.toml changed'],
    ],
    ['cargo: another runner', 'cargo test', rust, { '.cargo/config.toml': '[target.x]\nrunner = "true"\n' }, ['.cargo/config.toml: new configuration']],
    ['cargo: an attribute', 'cargo test', rust, { 'src/lib.rs': '#![cfg(not(test))]\npub fn add() -> i32 { 1 }\n' }, ['src/lib.rs: a new cfg']],
    ['go: a replaced module', 'go test ./...', go, { 'go.mod': 'module x\nreplace a => ./fake\n' }, ['go.mod: the replaced modules in go.mod changed']],
    ['go: a build tag', 'go test ./...', go, { 'add.go': '//go:build never\n\npackage x\n' }, ['add.go: a new go:build']],
    ['go: a new file of the package behind a tag', 'go test ./...', go, { 'more.go': '//go:build never\n\npackage x\n' }, ['more.go: a new go:build']],
    ['go: a program beside the package, behind a tag', 'go test ./...', go, { 'gen.go': '//go:build ignore\n\npackage main\n' }, []],
    ['go: a test behind a tag', 'go test ./...', go, { 'add_test.go': `//go:build never\n\n${go['add_test.go']}` }, ['add_test.go: an existing test changed']],
    ['eslint: a rule', 'npm run lint', lint, { 'eslint.config.js': 'export default [{ rules: {} }];\n' }, ['eslint.config.js: configuration changed']],
    ['eslint: another configuration', 'npm run lint', lint, { 'src/.eslintrc.json': '{}' }, ['src/.eslintrc.json: new configuration']],
    [
      'eslint: a suppression',
      'npm run lint',
      lint,
      { 'src/a.ts': '// eslint-disable-next-line no-unused-vars -- why\nconst a = 1;\n' },
      ['src/a.ts: a new eslint-disable'],
    ],
    ['tsc: a suppression', 'npm run lint', lint, { 'src/b.ts': 'const b: number = x; // @ts-ignore\n' }, ['src/b.ts: a new @ts-ignore']],
    ['tsc: less strict', 'npm run lint', lint, { 'tsconfig.json': '{}' }, ['tsconfig.json: configuration changed']],
    ['prettier: a file that git ignores', 'npx prettier --check .', lint, { '.gitignore': 'src/a.ts\n' }, ['.gitignore: new configuration']],
    [
      'pytest: a plugin',
      'python -m pytest',
      pytest,
      { 'x.egg-info/entry_points.txt': '[pytest11]\nx = app.x\n' },
      ['x.egg-info/entry_points.txt: new configuration'],
    ],
    ['go: a package in place of a downloaded one', 'go test ./...', go, { 'vendor/a/assert.go': 'package a\n' }, ['vendor/a/assert.go: new configuration']],
    [
      'eslint: a suppression for another line',
      'npm run lint',
      { ...lint, 'src/a.ts': '// eslint-disable-next-line x\na();\n' },
      { 'src/a.ts': 'a();\n', 'src/b.ts': '// eslint-disable-next-line x\nb();\n' },
      ['src/b.ts: a new eslint-disable'],
    ],
    [
      'eslint: a suppression behind a text that sounds like one',
      'npm run lint',
      lint,
      { 'src/a.ts': "const a = 'eslint-disable'; // eslint-disable-line\n" },
      ['src/a.ts: a new eslint-disable'],
    ],
    [
      'eslint: a suppression in a large file',
      'npm run lint',
      lint,
      { 'src/a.ts': `${'a();\n'.repeat(300_000)}// eslint-disable-line\n` },
      ['src/a.ts: a new eslint-disable'],
    ],
    ['make: another recipe', 'make test', { Makefile: 'test:\n\tpytest\n' }, { Makefile: 'test:\n\ttrue\n' }, ['Makefile: configuration changed']],
    ['make: a file that comes first', 'make test', { Makefile: 'test:\n\tpytest\n' }, { GNUmakefile: 'test:\n\ttrue\n' }, ['GNUmakefile: new configuration']],
    ['a script: a program before all others', './c.sh', { 'c.sh': 'PATH=bin:$PATH go test\n' }, { 'bin/go': 'exit 0' }, ['bin/go: new configuration']],
  ])('%s', async (...[, command, base, claimed, expected]) => {
    expect(await whys(command, base, claimed)).toEqual(expected);
  });
});

describe('the base pass reports nothing for honest work under', () => {
  it.each<[string, string, Files, PassOf['claimed']]>([
    ['vitest: a suppression that only eslint obeys', 'npm test', vitest, { 'src/hi.ts': '// eslint-disable-next-line\nexport const hi = () => 1;\n' }],
    ['vitest: a new snapshot', 'npm test', vitest, { 'src/__snapshots__/new.test.ts.snap': 'x', 'src/new.test.ts': 'x' }],
    [
      'vitest: a moved module and test',
      'npm test',
      vitest,
      {
        'src/hi.ts': null,
        'src/hi.test.ts': null,
        'src/words/hi.ts': 'export const hi = () => 1;\n',
        'src/words/hi.test.ts': vitest['src/hi.test.ts'] ?? '',
        'src/__snapshots__/hi.test.ts.snap': null,
        'src/words/__snapshots__/hi.test.ts.snap': vitest['src/__snapshots__/hi.test.ts.snap'] ?? '',
      },
    ],
    [
      'pytest: a moved module',
      'pytest',
      pytest,
      {
        'app/add.py': null,
        'app/math/add.py': 'def add(a, b):\n    return a + b\n',
        'tests/test_add.py': pytest['tests/test_add.py']?.replace('app.add', 'app.math.add') ?? '',
      },
    ],
    [
      'pytest: a renamed function',
      'pytest',
      pytest,
      {
        'app/add.py': 'def plus(a, b):\n    return a + b\n',
        'tests/test_add.py': pytest['tests/test_add.py']?.replace('import add', 'import plus').replace('assert add', 'assert plus') ?? '',
      },
    ],
    ['pytest: an empty start of the folder', 'pytest', pytest, { 'tests/__init__.py': '\n' }],
    [
      'pytest: a dependency and another tool',
      'pytest',
      pytest,
      { 'pyproject.toml': '[project]\nname = "app"\ndependencies = ["x"]\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n\n[tool.ruff]\nx = 1\n' },
    ],
    ['cargo: a dependency', 'cargo test', rust, { 'Cargo.toml': '[package]\nname = "x"\n[dependencies]\nrand = "1"\n', 'Cargo.lock': 'x' }],
    ['cargo: a new crate', 'cargo test', rust, { 'crates/a/Cargo.toml': '[package]\nname = "a"\n', 'crates/a/src/lib.rs': '' }],
    ['go: a dependency', 'go test ./...', go, { 'go.mod': 'module x\nrequire a v1\n', 'go.sum': 'x', 'b.go': 'package x\n' }],
    [
      'eslint: a suppression that moved',
      'npm run lint',
      { ...lint, 'src/a.ts': 'const a = 1; // eslint-disable-line\n' },
      { 'src/a.ts': null, 'src/b.ts': 'const a = 1; // eslint-disable-line\n' },
    ],
    [
      'eslint: another line below a suppression',
      'npm run lint',
      { ...lint, 'src/a.ts': '// eslint-disable-next-line x\na();\n' },
      { 'src/a.ts': '// eslint-disable-next-line x\na(1);\n' },
    ],
    ['eslint: a text that sounds like a suppression', 'npm run lint', lint, { 'src/a.ts': "const a = 'eslint-disable';\n" }],
    ['eslint: a new test', 'npm run lint', lint, { 'src/a.test.ts': 'x' }],
  ])('%s', async (_name, command, base, claimed) => {
    expect(await whys(command, base, claimed)).toEqual([]);
  });
});

describe('tests in a Rust source', () => {
  const unit = (expected: number) => `#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(super::add(), ${expected}); }\n}\n`;
  const base = { ...rust, 'src/lib.rs': `pub fn add() -> i32 { 1 }\n\n${unit(3)}` };

  it.each([
    ['edited', unit(1)],
    ['gone', ''],
    ['ignored', unit(3).replace('fn adds', '#[ignore]\n    fn adds')],
  ])('are taken from the base if they are %s', async (_name, tests) => {
    const pass = await passOf({ command: 'cargo test', base, claimed: { 'src/lib.rs': `#[allow(dead_code)]\npub fn add() -> i32 { 2 }\n\n${tests}` } });
    expect(pass.changed.map(({ why }) => why)).toEqual(['existing tests in a source changed', 'a new allow']);
    expect(pass.tree['src/lib.rs']).toBe(`pub fn add() -> i32 { 2 }\n\n${unit(3)}`);
  });

  it('do not change with the code that they test', async () => {
    expect((await passOf({ command: 'cargo test', base, claimed: { 'src/lib.rs': `pub fn add() -> i32 { 3 }\n\n${unit(3)}` } })).changed).toEqual([]);
  });
});

describe('a new suppression is cut out:', () => {
  it.each<[string, string, string]>([
    ['a line of its own', 'a();\n// eslint-disable-next-line x\nb();\n', 'a();\nb();\n'],
    ['behind code', 'b(); // eslint-disable-line x\n', 'b();\n'],
    ['in a block', 'b(); /* eslint-disable-line */ c();\n', 'b(); c();\n'],
    ['in JSX', 'a();\n  {/* eslint-disable-next-line */}\nb();\n', 'a();\nb();\n'],
    ['a rule that is switched off', '/* eslint no-x: 0 */\nb();\n', 'b();\n'],
    ['with the ends of lines of Windows', 'a();\r\nb(); // @ts-ignore\r\n', 'a();\r\nb();\r\n'],
    ['several', '// @ts-nocheck\n/* eslint-disable */\nb();\n', 'b();\n'],
  ])('%s', async (_name, text, expected) => {
    const pass = await passOf({ command: 'npm run lint', base: lint, claimed: { 'src/a.ts': text } });
    expect(pass.tree['src/a.ts']).toBe(expected);
  });

  it('or the file is taken from the base if the suppression has no clear end', async () => {
    const pass = await passOf({
      command: 'npm run lint',
      base: lint,
      claimed: { 'src/a.ts': '/*\n eslint-disable\n*/\nb();\n', 'src/b.ts': '/* eslint-disable\n*/' },
    });
    expect(pass.edits).toEqual([
      { path: 'src/a.ts', to: 'base' },
      { path: 'src/b.ts', to: 'nothing' },
    ]);
  });
});
