import { describe, expect, it } from 'vitest';
import { lookAtGate } from './look-at-gate.ts';
import type { Repository } from './repository.ts';

const tree = (files: Readonly<Record<string, string>>): Repository => ({ paths: Object.keys(files), read: async (path) => files[path] ?? null });
const scripts = (all: Readonly<Record<string, string>>) => JSON.stringify({ name: 'x', scripts: all });

const project = tree({
  'package.json': scripts({
    test: 'vitest run',
    lint: 'eslint . && tsc --noEmit',
    unit: 'node --test',
    ci: 'npm run -s lint && npm test',
    bare: 'node test/run.js',
    loop: 'npm run pool',
    pool: 'npm run loop && jest',
    all: 'run-s lint unit',
    both: 'concurrently "npm:unit" "prettier --check ."',
  }),
  'pkg/package.json': scripts({ test: 'jest' }),
  'pkg/sum.test.js': '',
  'check.sh': '#!/bin/sh\nset -e\nexport PATH="$PWD/tools:$PATH"\nnpm test\n',
  'scripts/ci.sh': 'cd "$(dirname "$0")/.."\nif [ -n "$CI" ]; then make lint; fi\n',
  'scripts/check.mjs': "spawn('npx', ['vitest', 'run']);\nrun('biome check');",
  Makefile: 'FLAGS = -q\n.PHONY: test lint\nall: test\ntest: lint\n\t@python -m pytest $(FLAGS) tests/\nlint:\n\truff check .\n\t$(MAKE) test\n',
  justfile: 'test arg="x": lint\n  cargo test {{arg}}\nlint:\n  cargo clippy\n',
  'tox.ini': '[testenv]\ncommands =\n  pytest {posargs}\n  mypy src\n',
  'noxfile.py': '@nox.session\ndef t(session):\n  session.run("pytest", "-q")\n',
  'test/run.js': '',
  'tests/test_a.py': '',
  'src/a.test.ts': '',
});

it('a file that a shell function passes to a runner counts as run, even if the function is sourced', async () => {
  const repository = tree({
    'check.sh': 'set -e\n. ./lib.sh\nrun test/a.js\nall() { node --test "$@"; }\nall test/b.test.js\n',
    'lib.sh': 'run() {\n  node "$1"\n}\n',
    'test/a.js': '',
    'test/b.test.js': '',
  });
  const { runners, tests } = await lookAtGate('sh check.sh', '', repository);
  expect(runners).toEqual(['node', 'node-test']);
  expect(tests).toEqual(expect.arrayContaining(['test/a.js', 'test/b.test.js']));
});

describe('a gate runs only what has changed', () => {
  it.each<[string, string, string]>([
    ['pytest', 'pytest.ini', '[pytest]\naddopts = -q --picked\n'],
    ['python3 -m pytest', 'pyproject.toml', '[tool.pytest.ini_options]\naddopts = [\n  "-q",\n  "--testmon",\n]\n'],
    ['pytest', 'setup.cfg', '[tool:pytest]\naddopts =\n    -q\n    --lf\n'],
    ['npx jest', 'jest.config.js', 'module.exports = { onlyChanged: true };\n'],
    ['PYTEST_ADDOPTS="-q --picked" pytest', 'x', ''],
  ])('%s with %s', async (gate, path, text) => {
    expect((await lookAtGate(gate, '', tree({ [path]: text }))).choosesTests).toBe(true);
  });

  it('but not if its settings leave out the slow ones', async () => {
    const settings = { 'pytest.ini': '[pytest]\naddopts = -q -m "not slow"\n# --picked\n' };
    expect((await lookAtGate('pytest', '', tree(settings))).choosesTests).toBe(false);
  });
});

describe('the runners of a gate', () => {
  it.each<[string, readonly string[]]>([
    ['npm test', ['vitest']],
    ['npm t', ['vitest']],
    ['cd pkg && npm test -- --run', ['jest']],
    ['npm --prefix pkg test', ['jest']],
    ['CI=1 npx vitest run', ['vitest']],
    ['npx --no-install jest --ci', ['jest']],
    ['./node_modules/.bin/jest', ['jest']],
    ['node node_modules/jest/bin/jest.js --ci', ['jest']],
    ['node --max-old-space-size=4096 ./node_modules/.bin/vitest run', ['vitest']],
    ['npm run -s lint && npm test', ['eslint', 'tsc', 'vitest']],
    ['npm run ci', ['eslint', 'tsc', 'vitest']],
    ['npm run loop', ['jest']],
    ['npm run all', ['eslint', 'tsc', 'node-test']],
    ['npm run both', ['node-test', 'prettier']],
    ['npm run bare', ['node']],
    ["sh -c 'npm test'", ['vitest']],
    ['bash -lc "npm test && make lint"', ['vitest', 'ruff', 'pytest']],
    ['./check.sh', ['vitest']],
    ['bash scripts/ci.sh', ['ruff', 'pytest']],
    ['node scripts/check.mjs', ['node', 'vitest', 'biome']],
    ['make test', ['ruff', 'pytest']],
    ['make', ['ruff', 'pytest']],
    ['just test', ['cargo-check', 'cargo-test']],
    ['tox -e py312', ['pytest', 'mypy']],
    ['nox', ['pytest']],
    ['python -m pytest tests/', ['pytest']],
    ['python3.12 -m unittest discover', ['unittest']],
    ['uv run pytest', ['pytest']],
    ['uv run --with x pytest -q', ['pytest']],
    ['poetry run python -m pytest', ['pytest']],
    ['pnpm -r test', ['jest']],
    ['pnpm --filter ./pkg test', ['jest']],
    ['yarn workspace x test', ['jest']],
    ['yarn test', ['vitest']],
    ['yarn jest', ['jest']],
    ['turbo run test', ['jest']],
    ['node --test', ['node-test']],
    ['node --import tsx --test "src/**/*.test.ts"', ['node-test']],
    ['cargo test --workspace', ['cargo-test']],
    ['go vet ./... && go test ./...', ['go-vet', 'go-test']],
    ['timeout 60 env A=b bundle exec rspec', ['rspec']],
    ['./gradlew check', ['gradle']],
    ['mvn -q verify', ['maven']],
    ['node --check src/a.js', ['node-check']],
    ['sh -n check.sh', []],
    ['test -f done.txt', []],
    ['./no-such-program', []],
    ['', []],
    ['"unclosed', []],
  ])('of %j are %j', async (command, runners) => {
    expect((await lookAtGate(command, '', project)).runners).toEqual(runners);
  });
});

it.each<[string, boolean]>([
  ['python -m unittest discover -s tests -t .', false],
  ['make -k test', false],
  ['npx mocha -t 5000', false],
  ['npx mocha --timeout 5000 -g adds', true],
  ['python -m pytest tests', false],
  ['python -m pytest -m fast', true],
  ['pytest -kadds', true],
  ['npm test -- -t adds', true],
  ['npm test -- --testNamePattern=adds', true],
  ['node --test --test-name-pattern adds', true],
  ['go test -run TestAdd ./...', true],
  ['go test -timeout 5m ./...', false],
  ['cargo test', false],
  ['cargo test -p core --no-fail-fast', false],
  ['cargo test --release adds', true],
  ['cargo nextest run --workspace', false],
  ['npm -t test', false],
  ['yarn test -t adds', true],
  ['pnpm --filter ./pkg test', false],
  ['pnpm --filter "[origin/main]" test', true],
  ['pnpm -r --filter=...[origin/main] test', true],
  ['pnpm -F "{packages/**}[HEAD~1]..." run test', true],
  ['yarn workspaces foreach --since=origin/main run test', true],
  ['pytest --picked', true],
  ['npx vitest run --changed origin/main', true],
  ['npx jest -o', true],
  ['npx jest --onlyChanged', true],
  ['npm test -- --changed=main', true],
  ['npx jest --lastCommit', true],
  ['npx jest --changedSince main', true],
  ['npx jest --changedFilesWithAncestor', true],
  ['pnpm exec vitest run "app/[id]"', false],
])('%j runs only chosen tests: %j', async (command, chooses) => {
  expect((await lookAtGate(command, '', project)).choosesTests).toBe(chooses);
});
