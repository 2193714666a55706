/** What runs tests or checks sources. */
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
  | 'shellcheck';

/** What only leads to runners. */
export type Launcher = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'turbo' | 'nx' | 'make' | 'just' | 'tox' | 'nox' | 'docker' | 'shell';

/** One row of what is known about a program that a gate starts. All globs are looked up in any folder that the program may look into. */
export interface Tool {
  readonly name: Runner | Launcher;
  /** First words of its command line; several words for one that is told by them (`go test`). */
  readonly starts: readonly string[];
  /** Files that can turn it green or red without touching a test. */
  readonly configuration: readonly string[];
  /** What it runs as tests when nobody tells it. */
  readonly tests: readonly string[];
  /** Keys of package.json that it obeys. */
  readonly keys?: readonly string[];
  /** Sections of pyproject.toml, setup.cfg, tox.ini or Cargo.toml that it obeys, each with all below it. */
  readonly sections?: readonly string[];
  /** Words of a comment (or an attribute) that make it look away, in files with these endings. */
  readonly suppressions?: readonly string[];
  readonly endings?: readonly string[];
  /** Options whose value is a script or a configuration that it loads, beside those that all tools share. */
  readonly options?: readonly string[];
}
