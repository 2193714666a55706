import { describe, expect, it } from 'vitest';
import { type Files, textTree } from '../../../test/support/text-tree.ts';
import { lookAtGate } from './look-at-gate.ts';

const manifest = (scripts: Readonly<Record<string, string>>, more: object = {}) => JSON.stringify({ scripts, ...more });
const decided = async (command: string, files: Files, paths: readonly string[], cwd = '') => {
  const sight = await lookAtGate(command, cwd, textTree(files));
  return Object.fromEntries(paths.map((path) => [path, sight.decides(path)]));
};

describe('the deciders of a gate are found for', () => {
  it.each<[string, Files, Readonly<Record<string, 'configuration' | 'test' | null>>]>([
    [
      'npm test',
      { 'package.json': manifest({ test: 'jest' }) },
      {
        'package.json': 'configuration',
        '.npmrc': 'configuration',
        'jest.config.ts': 'configuration',
        'babel.config.js': 'configuration',
        '__mocks__/chai.js': 'configuration',
        'node_modules/.bin/jest': 'configuration',
        'src/__tests__/a.js': 'test',
        'src/__snapshots__/a.js.snap': 'test',
        'src/a.spec.tsx': 'test',
        'test/fixtures/in.json': 'test',
        'src/a.js': null,
        '.eslintrc.json': null,
        'vitest.config.ts': null,
        'package-lock.json': null,
        'README.md': null,
        'docs/jest.config.md': null,
      },
    ],
    [
      'npx eslint .',
      {},
      {
        'eslint.config.mjs': 'configuration',
        'pkg/.eslintrc': 'configuration',
        '.eslintignore': 'configuration',
        'src/a.test.js': null,
        'jest.config.js': null,
      },
    ],
    [
      'npx tsc -p conf/tsconfig.ci.json',
      { 'conf/tsconfig.ci.json': '{"extends":"./strict.json"}', 'conf/strict.json': '{}' },
      { 'conf/strict.json': 'configuration', 'tsconfig.json': 'configuration', 'src/a.ts': null },
    ],
    [
      'python -m pytest tests/',
      { 'tests/test_a.py': '' },
      {
        'tests/conftest.py': 'configuration',
        'conftest.py': 'configuration',
        'sitecustomize.py': 'configuration',
        'pytest.py': 'configuration',
        '_pytest/__init__.py': 'configuration',
        'x.pth': 'configuration',
        'pyproject.toml': 'configuration',
        'tests/__init__.py': 'configuration',
        'tests/test_a.py': 'test',
        'tests/data/a.csv': 'test',
        'tests/__snapshots__/test_a.ambr': 'test',
        'app/__init__.py': null,
        'app/main.py': null,
        'ruff.toml': null,
      },
    ],
    ['ruff check . && mypy app', {}, { 'ruff.toml': 'configuration', 'mypy.ini': 'configuration', 'tests/test_a.py': null, 'conftest.py': null }],
    [
      'go test ./...',
      { 'go.mod': 'module x' },
      {
        'go.mod': 'configuration',
        'go.work': 'configuration',
        'a/a_test.go': 'test',
        'a/testdata/x.golden': 'test',
        'a/a.go': null,
        'go.sum': null,
        '.golangci.yml': null,
      },
    ],
    ['golangci-lint run', {}, { '.golangci.yml': 'configuration', 'a/a_test.go': null }],
    [
      'cargo test --workspace',
      {},
      {
        'Cargo.toml': 'configuration',
        'crates/a/Cargo.toml': 'configuration',
        '.cargo/config.toml': 'configuration',
        'rust-toolchain.toml': 'configuration',
        'tests/a.rs': 'test',
        'src/lib.rs': null,
        'Cargo.lock': null,
        'clippy.toml': null,
      },
    ],
    [
      'make check',
      {
        Makefile: 'include rules.mk\ncheck:\n\t./run.sh\n',
        'rules.mk': 'X=1\n',
        'run.sh': '#!/bin/sh\nPATH="$PWD/tools:$PATH" pytest -c conf/p.ini\n',
        'conf/p.ini': '',
      },
      {
        Makefile: 'configuration',
        GNUmakefile: 'configuration',
        'rules.mk': 'configuration',
        'run.sh': 'configuration',
        'tools/pytest': 'configuration',
        'conf/p.ini': 'configuration',
        'other.sh': null,
      },
    ],
    [
      'make',
      { Makefile: 'export PATH := $(CURDIR)/shims:$(PATH)\nall:\n\tcd web && npm ci\n\t./go.sh\n', 'go.sh': 'go test ./...\n' },
      { 'shims/go': 'configuration', 'go.sh': 'configuration', 'a_test.go': 'test' },
    ],
    ['./check.sh', { 'check.sh': 'export PATH="$(dirname "$0")/bin:$PATH"\ngo test ./...\n' }, { 'check.sh': 'configuration', 'bin/go': 'configuration' }],
    ['node test.js', { 'test.js': '', 'a.js': '' }, { 'test.js': 'test', 'a.js': null, 'package.json': 'configuration', '.npmrc': null }],
    [
      'npm test',
      { 'package.json': manifest({ test: 'node --import ./test-setup.mjs --test' }), 'test-setup.mjs': '' },
      { 'test-setup.mjs': 'configuration', 'a.test.js': 'test' },
    ],
    [
      'npx mocha',
      { '.mocharc.json': '{"spec":["checks/**/*.js"],"require":["./hooks.js"]}', 'hooks.js': '' },
      { 'checks/deep/a.js': 'test', 'hooks.js': 'configuration', 'test/a.js': 'test', 'lib/a.js': null },
    ],
    [
      'npx vitest run',
      {
        'vitest.config.ts':
          "import base from './vitest.base.ts'\nimport x from './src/plugin.ts'\nexport default { test: { include: ['e2e/**/*.check.[jt]s?(x)'], setupFiles: ['./src/setup.ts'], coverage: { include: ['src/**'] } } }",
        'vitest.base.ts': '',
        'src/plugin.ts': '',
        'src/setup.ts': '',
      },
      { 'vitest.base.ts': 'configuration', 'src/setup.ts': 'configuration', 'src/plugin.ts': null, 'src/a.ts': null, 'e2e/a/b.check.tsx': 'test' },
    ],
    ['esbuild src/index.ts && vitest run', { 'src/index.ts': '' }, { 'src/index.ts': null }],
    ['bundle exec rspec', {}, { '.rspec': 'configuration', 'spec/spec_helper.rb': 'configuration', 'spec/a_spec.rb': 'test', 'lib/a.rb': null }],
    [
      './gradlew test',
      { gradlew: '' },
      { gradlew: 'configuration', 'build.gradle.kts': 'configuration', 'app/src/test/java/ATest.java': 'test', 'app/src/main/java/A.java': null },
    ],
    ['./who-knows', {}, { 'jest.config.js': 'configuration', 'a_test.go': 'test', 'src/a.js': null, Makefile: 'configuration' }],
    ['grep -q done README.md', { 'README.md': '' }, { 'README.md': null, 'jest.config.js': null }],
  ])('%s', async (command, files, expected) => {
    expect(await decided(command, files, Object.keys(expected))).toEqual(expected);
  });
});

describe('in a monorepo of forty packages', () => {
  const files: Record<string, string> = { 'package.json': manifest({ test: 'pnpm -r test' }) };
  for (let at = 0; at < 40; at += 1) {
    files[`packages/p${at}/package.json`] = manifest({ test: 'vitest run' }, { name: `@x/p${at}` });
    files[`packages/p${at}/src/a.test.ts`] = '';
  }
  const paths = [
    'packages/p1/src/a.test.ts',
    'packages/p2/src/a.test.ts',
    'packages/p1/vitest.config.ts',
    'packages/p2/vitest.config.ts',
    'vitest.config.ts',
    '.npmrc',
  ];

  it.each(['npm test', 'pnpm -r test', 'pnpm run -r test', 'npm test --workspaces', 'yarn workspaces run test', 'turbo run test', 'nx run-many -t test'])(
    'the deciders of %s are in all packages',
    async (command) => {
      expect(Object.values(await decided(command, files, paths))).toEqual(['test', 'test', 'configuration', 'configuration', 'configuration', 'configuration']);
      expect((await lookAtGate(command, '', textTree(files))).tests).toHaveLength(40);
    },
  );

  it.each([
    'cd packages/p1 && npm test',
    'npm test -w @x/p1',
    'pnpm --filter @x/p1 test',
    'yarn workspace @x/p1 test',
    'npm --prefix packages/p1 test',
    'pnpm -C packages/p1 test',
  ])('the deciders of %s are in one package and above it', async (command) => {
    expect(Object.values(await decided(command, files, paths))).toEqual(['test', null, 'configuration', null, 'configuration', 'configuration']);
  });

  it('the deciders of a gate with a working folder are those of that folder', async () => {
    expect(Object.values(await decided('npm test', files, paths, 'packages/p1'))).toEqual([
      'test',
      null,
      'configuration',
      null,
      'configuration',
      'configuration',
    ]);
  });
});

describe('the tests of a gate are found for', () => {
  const files = {
    'tests/test_a.py': '',
    'tests/unit/test_b.py': '',
    'tests/conftest.py': '',
    'app/test_c.py': '',
    'src/a.test.ts': '',
    'src/b.test.ts': '',
    'lib/x.spec.js': '',
    'test/c.js': '',
    'test/deep/d.js': '',
  };
  it.each<[string, readonly string[]]>([
    ['pytest', ['tests/test_a.py', 'tests/unit/test_b.py', 'app/test_c.py']],
    ['pytest tests/unit', ['tests/unit/test_b.py']],
    ['pytest tests/test_a.py -q', ['tests/test_a.py']],
    ['pytest tests/test_a.py::test_x', ['tests/test_a.py']],
    ['pytest --cov src', ['tests/test_a.py', 'tests/unit/test_b.py', 'app/test_c.py']],
    ['vitest run --config some.config.ts --reporter ./x.js', ['src/a.test.ts', 'src/b.test.ts', 'lib/x.spec.js']],
    ['vitest --run src/b.test.ts', ['src/b.test.ts']],
    ['cd tests && pytest', ['tests/test_a.py', 'tests/unit/test_b.py']],
    ['vitest run', ['src/a.test.ts', 'src/b.test.ts', 'lib/x.spec.js']],
    ['vitest run src/b.test.ts', ['src/b.test.ts']],
    ['mocha', ['test/c.js']],
    ['mocha --recursive', ['test/c.js', 'test/deep/d.js']],
    ['node --test "src/**/*.test.ts"', ['src/a.test.ts', 'src/b.test.ts']],
    ['eslint .', []],
    ['node lib/x.spec.js', ['lib/x.spec.js']],
    ['./who-knows', []],
  ])('%s', async (command, tests) => {
    expect((await lookAtGate(command, '', textTree(files))).tests).toEqual(tests);
  });
});

describe('a hostile project', () => {
  it.each<[string, string, Files]>([
    ['scripts in a circle', 'npm run a', { 'package.json': manifest({ a: 'npm run b && npm run a', b: 'npm run a' }) }],
    ['make in a circle', 'make a', { Makefile: 'a: b\n\t$(MAKE) a\nb: a\n\tmake -C . a\ninclude Makefile\nX = $(X)$(X)\n' }],
    ['scripts that call each other', './a.sh', { 'a.sh': './b.sh\n', 'b.sh': '. ./a.sh\n' }],
    ['package.json of 5 MB', 'npm test', { 'package.json': manifest({ test: 'vitest' }, { x: 'y'.repeat(5_000_000) }) }],
    ['package.json that is no JSON', 'npm test', { 'package.json': '{ "scripts": { "test": ' }],
    ['package.json that is a list', 'npm test', { 'package.json': '[1]' }],
    ['scripts that are no texts', 'npm test', { 'package.json': '{"scripts":{"test":{"a":1}}}' }],
    ['a long line', './a.sh', { 'a.sh': `echo ${'('.repeat(50_000)}` }],
    ['long lines in make', 'make', { Makefile: `${' a'.repeat(100_000)}\n${'a '.repeat(100_000)}\n${'\t'.repeat(100_000)}` }],
    ['long lines in a configuration', 'npx vitest', { 'vitest.config.ts': `${"import ' ".repeat(50_000)}${'include: ['.repeat(20_000)}` }],
    ['long lines in a script', 'node a.js', { 'a.js': `${"'".repeat(100_001)}\n${'"\\'.repeat(50_000)}` }],
    ['a folder above the top', 'cd ../.. && npm test', { 'package.json': manifest({ test: 'jest' }) }],
  ])('with %s is parsed within a second', async (_name, command, files) => {
    const before = process.cpuUsage();
    const sight = await lookAtGate(command, '', textTree(files));
    expect(sight.decides('src/a.rs')).toBeNull();
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });

  it('may have spaces and any letters in its paths', async () => {
    const files = { 'my app/package.json': manifest({ test: 'jest' }), 'my app/größe.test.js': '', 'prüfe mich.sh': 'cd "my app" && npm test' };
    const sight = await lookAtGate("sh 'prüfe mich.sh'", '', textTree(files));
    expect(sight).toMatchObject({ runners: ['jest'], tests: ['my app/größe.test.js'] });
    expect(sight.decides('prüfe mich.sh')).toBe('configuration');
  });

  it('may have Windows line ends', async () => {
    const files = { Makefile: 'test:\r\n\tpytest -q\r\n', 'check.sh': '#!/bin/sh\r\nmake test\r\n' };
    expect((await lookAtGate('./check.sh', '', textTree(files))).runners).toEqual(['pytest']);
  });
});
