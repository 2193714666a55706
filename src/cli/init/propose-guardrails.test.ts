import { describe, expect, it } from 'vitest';
import { proposeGuardrails } from './detect-project.ts';

/** The commands proposed for a project with these files. */
function commandsFor(files: Readonly<Record<string, string>>): readonly string[] {
  return proposeGuardrails({ names: new Set(Object.keys(files)), texts: new Map(Object.entries(files)) }).map(({ command }) => command);
}

const scripts = (of: Readonly<Record<string, unknown>>) => ({ 'package.json': JSON.stringify({ scripts: of }) });

describe('proposed guardrails', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing', {}, []],
    [
      'scripts, fast checks first',
      scripts({ test: 'vitest', dev: 'vite', build: 'tsc', lint: 'eslint', typecheck: 'tsc' }),
      ['npm run lint', 'npm run typecheck', 'npm run build', 'npm test'],
    ],
    ['pnpm', { ...scripts({ test: 'a', lint: 'b' }), 'pnpm-lock.yaml': '' }, ['pnpm run lint', 'pnpm test']],
    ['yarn', { ...scripts({ test: 'a', lint: 'b' }), 'yarn.lock': '' }, ['yarn run lint', 'yarn test']],
    ['bun, without starting its own test runner', { ...scripts({ test: 'a', lint: 'b' }), 'bun.lock': '' }, ['bun run lint', 'bun run test']],
    ['bun with its older lock file', { ...scripts({ test: 'a' }), 'bun.lockb': '' }, ['bun run test']],
    ['the test script of npm init', scripts({ test: 'echo "Error: no test specified" && exit 1' }), []],
    ['scripts that wait for changes', scripts({ test: 'jest --watch', lint: 'eslint --watchAll .', build: 'tsc --watcher' }), ['npm run build']],
    ['scripts that are not text or blank', scripts({ test: 1, lint: null, build: '  ' }), []],
    ['a package.json that is not JSON', { 'package.json': '{"scripts":' }, []],
    ['a package.json of another shape', { 'package.json': 'null' }, []],
    ['scripts of another shape', { 'package.json': '{"scripts": ["test"]}' }, []],
    ['a package.json with a byte order mark', { 'package.json': '\uFEFF{"scripts": {"test": "a"}}' }, ['npm test']],
    ['a Makefile', { Makefile: 'all: build\n\ntest: build\n\tgo test\nlint:\n\tvet\ncheck : lint test\n' }, ['make lint', 'make check', 'make test']],
    ['targets on one line', { Makefile: 'lint test:: deps\n' }, ['make lint', 'make test']],
    ['a makefile in small letters, which make prefers', { makefile: 'lint:\n', Makefile: 'test:\n' }, ['make lint']],
    ['lines that only look like targets', { Makefile: '.PHONY: test\ntest := 1\nlint ::= 2\n\tcheck: x\n# test: y\nlint-all:\nx = test: z\n' }, []],
    ['a Makefile with CRLF line ends', { Makefile: 'test: a\r\n\ttrue\r\n' }, ['make test']],
    ['python', { 'pyproject.toml': '[tool.mypy]\n[tool.pytest.ini_options]\n[tool.ruff.lint]\n' }, ['ruff check .', 'mypy .', 'pytest']],
    ['python with uv', { 'pyproject.toml': '[tool.ruff]\n[tool.pytest]\n', 'uv.lock': '' }, ['uv run ruff check .', 'uv run pytest']],
    ['python with poetry', { 'pyproject.toml': '[tool.mypy]\n', 'poetry.lock': '' }, ['poetry run mypy .']],
    ['python without a configured tool', { 'pyproject.toml': '[project]\nname = "tool.ruff"\n# [tool.mypy]\n[tool.ruffian]\n' }, []],
    ['tests of pytest that nobody has configured', { 'conftest.py': '', 'test_a.py': 'import unittest' }, ['pytest']],
    ['tests of unittest', { 'test_a.py': 'from unittest import TestCase\n' }, ['python3 -m unittest']],
    ['a Python file that only looks like tests of unittest', { 'test_a.py': 'def test_a(): pass\n' }, []],
    ['go', { 'go.mod': '' }, ['go vet ./...', 'go test ./...']],
    ['rust', { 'Cargo.toml': '' }, ['cargo clippy', 'cargo test']],
    ['gradle', { gradlew: '' }, ['./gradlew check']],
    ['maven with its wrapper', { mvnw: '', 'pom.xml': '' }, ['./mvnw verify']],
    ['maven', { 'pom.xml': '' }, ['mvn verify']],
    ['go with a Makefile, whose targets replace the usual checks', { 'go.mod': '', Makefile: 'test:\n' }, ['make test', 'go vet ./...']],
    ['two languages side by side', { ...scripts({ test: 'a' }), 'go.mod': '' }, ['npm test', 'go vet ./...', 'go test ./...']],
  ])('fit %s', (_name, files, commands) => {
    expect(commandsFor(files)).toEqual(commands);
  });

  it('name the file they come from', () => {
    const files = { ...scripts({ lint: 'a' }), GNUmakefile: 'test:\n', 'Cargo.toml': '' };
    expect(proposeGuardrails({ names: new Set(Object.keys(files)), texts: new Map(Object.entries(files)) })).toEqual([
      { command: 'npm run lint', from: 'package.json' },
      { command: 'make test', from: 'GNUmakefile' },
      { command: 'cargo clippy', from: 'Cargo.toml' },
    ]);
  });
});
