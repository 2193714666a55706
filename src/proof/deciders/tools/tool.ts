/** Tools that run tests or check sources. */
export type Runner =
  | 'node-test'
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'ava'
  | 'node'
  | 'node-check'
  | 'bun-test'
  | 'deno-test'
  | 'deno-check'
  | 'playwright'
  | 'pytest'
  | 'unittest'
  | 'python'
  | 'go-test'
  | 'cargo-test'
  | 'rspec'
  | 'phpunit'
  | 'maven'
  | 'gradle'
  | 'dotnet'
  | 'bats'
  | 'tsc'
  | 'eslint'
  | 'biome'
  | 'prettier'
  | 'ruff'
  | 'mypy'
  | 'flake8'
  | 'pylint'
  | 'go-vet'
  | 'golangci-lint'
  | 'cargo-check'
  | 'cargo-other'
  | 'shellcheck';

/** Tools that only lead to runners. */
export type Launcher = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'turbo' | 'nx' | 'make' | 'just' | 'tox' | 'nox' | 'docker' | 'shell';

/** What is known about a program that a gate starts. All globs apply to any folder that the program may look into. */
export interface Tool {
  readonly name: Runner | Launcher;
  /** The first words of its command line; several if they identify it together (`go test`). */
  readonly starts: readonly string[];
  /** Files that can turn it green or red without a change to a test. */
  readonly configuration: readonly string[];
  /** What it runs as tests by default. */
  readonly tests: readonly string[];
  /** Keys of package.json that it obeys. */
  readonly keys?: readonly string[];
  /** Sections of pyproject.toml, setup.cfg, tox.ini or Cargo.toml that it obeys, including all below them. */
  readonly sections?: readonly string[];
  /** Words of a comment (or an attribute) that silence it, in files with these endings. */
  readonly suppressions?: readonly string[];
  readonly endings?: readonly string[];
  /** Options with which it runs only some of its tests. */
  readonly chooses?: readonly string[];
  /** A plain word is a part of the names of the tests that it runs. */
  readonly choosesByWord?: true;
  /** Options whose value is a script or a configuration that it loads, in addition to those of all tools. */
  readonly options?: readonly string[];
}
