import type { Project } from './project.ts';
import type { Proposal } from './proposal.ts';

/** What a language's own tools are usually asked, and for what. */
export interface ToolchainCheck extends Proposal {
  readonly purpose: 'lint' | 'types' | 'test';
}

type Check = readonly [ToolchainCheck['purpose'], string];

/** The first file that is there speaks for its line. */
const BY_FILE: readonly { readonly files: readonly string[]; readonly checks: (file: string) => readonly Check[] }[] = [
  {
    files: ['go.mod'],
    checks: () => [
      ['lint', 'go vet ./...'],
      ['test', 'go test ./...'],
    ],
  },
  {
    files: ['Cargo.toml'],
    checks: () => [
      ['lint', 'cargo clippy'],
      ['test', 'cargo test'],
    ],
  },
  { files: ['gradlew'], checks: () => [['test', './gradlew check']] },
  { files: ['mvnw', 'pom.xml'], checks: (file) => [['test', file === 'mvnw' ? './mvnw verify' : 'mvn verify']] },
];

/** Tools a pyproject.toml configures, by the table that does. */
const PYTHON: readonly (readonly [RegExp, Check])[] = [
  [/^\s*\[tool\.ruff[.\]]/m, ['lint', 'ruff check .']],
  [/^\s*\[tool\.mypy[.\]]/m, ['types', 'mypy .']],
  [/^\s*\[tool\.pytest[.\]]/m, ['test', 'pytest']],
];

export function toolchainChecks(project: Project): readonly ToolchainCheck[] {
  const byFile = BY_FILE.flatMap(({ files, checks }) => {
    const from = files.find((file) => project.names.has(file));
    return from === undefined ? [] : checks(from).map(([purpose, command]) => ({ purpose, command, from }));
  });
  return [...pythonChecks(project), ...byFile];
}

function pythonChecks({ names, texts }: Project): readonly ToolchainCheck[] {
  const from = 'pyproject.toml';
  const toml = texts.get(from) ?? '';
  const runner = pythonRunner(names);
  return PYTHON.filter(([table]) => table.test(toml)).map(([, [purpose, command]]) => ({ purpose, command: `${runner}${command}`, from }));
}

/** Tools of a locked environment are not on PATH. */
function pythonRunner(names: Project['names']): string {
  if (names.has('uv.lock')) return 'uv run ';
  return names.has('poetry.lock') ? 'poetry run ' : '';
}
