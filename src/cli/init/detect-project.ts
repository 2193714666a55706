import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findAgents } from '../../agents/find-definition.ts';
import { readText } from '../../kit/files/read-text.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import type { Proposal } from './write-settings.ts';

/** What Ralph detected: agents on PATH, and the checks of the project. */
export interface Detected {
  readonly agents: readonly string[];
  readonly guardrails: readonly Proposal[];
}

export async function detectProject(cwd: string): Promise<Detected> {
  const [agents, project] = await Promise.all([findAgents({ cwd, path: environment()['PATH'] ?? '' }), readProject(cwd)]);
  return { agents, guardrails: proposeGuardrails(project) };
}

/** Guardrails that fit the project. Runs nothing to find them. A target in its Makefile replaces the usual check of its language. */
export function proposeGuardrails(project: Project): readonly Proposal[] {
  const { file, targets } = makeTargets(project);
  const usual = toolchainChecks(project).filter(({ purpose }) => !targets.some((target) => target === purpose));
  return [
    ...packageScripts(project),
    ...targets.map((target) => ({ command: `make ${target}`, from: file })),
    ...usual.map(({ command, from }) => ({ command, from })),
  ];
}

/** In the order in which make looks for them. */
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const WANTED = ['lint', 'check', 'test'] as const;

export interface MakeTargets {
  readonly file: string;
  readonly targets: readonly (typeof WANTED)[number][];
}

/** The wanted targets that the Makefile has. */
function makeTargets({ texts }: Project): MakeTargets {
  const file = MAKEFILES.find((name) => texts.has(name)) ?? 'Makefile';
  const all = new Set((texts.get(file) ?? '').split('\n').flatMap(targetsOf));
  return { file, targets: WANTED.filter((target) => all.has(target)) };
}

/** `lint test: deps` names two targets; `test := x` is a variable, and a recipe begins with a tab. */
function targetsOf(line: string): readonly string[] {
  const [, targets = ''] = /^([^\s:=#][^:=#]*):(?!:{0,2}=)/.exec(line) ?? [];
  return targets.split(/\s+/);
}

/** Fast checks first; the build before the tests, which often need it. */
const SCRIPTS = ['lint', 'typecheck', 'type-check', 'build', 'test'];

/** How each package manager, known by its lock file, runs a script. `bun test` would start bun's own test runner. */
const MANAGERS = [
  { locks: ['pnpm-lock.yaml'], run: 'pnpm run', test: 'pnpm test' },
  { locks: ['yarn.lock'], run: 'yarn run', test: 'yarn test' },
  { locks: ['bun.lock', 'bun.lockb'], run: 'bun run', test: 'bun run test' },
] as const;
const NPM = { run: 'npm run', test: 'npm test' } as const;

function packageScripts({ names, texts }: Project): readonly Proposal[] {
  const scripts = scriptsIn(texts.get('package.json') ?? '{}');
  const { run, test } = MANAGERS.find(({ locks }) => locks.some((lock) => names.has(lock))) ?? NPM;
  return SCRIPTS.filter((name) => checksSomething(scripts[name])).map((name) => ({ command: name === 'test' ? test : `${run} ${name}`, from: 'package.json' }));
}

/** Excludes the script that `npm init` writes, which always fails, and watch mode, which never ends. */
function checksSomething(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !script.includes('no test specified') && !/\s--watch(?:All)?(?:\s|$)/.test(script);
}

function scriptsIn(json: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(json.replace(/^\uFEFF/, '')) ?? {};
    return typeof scripts === 'object' && scripts !== null ? scripts : {};
  } catch {
    return {};
  }
}

/** A usual check of a language's own tools, and its purpose. */
export interface ToolchainCheck extends Proposal {
  readonly purpose: 'lint' | 'types' | 'test';
}

type Check = readonly [ToolchainCheck['purpose'], string];

/** The first existing file of each row decides. */
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

/** Tools that a pyproject.toml configures, by the table that configures them. */
const PYTHON: readonly (readonly [RegExp, Check])[] = [
  [/^\s*\[tool\.ruff[.\]]/m, ['lint', 'ruff check .']],
  [/^\s*\[tool\.mypy[.\]]/m, ['types', 'mypy .']],
  [/^\s*\[tool\.pytest[.\]]/m, ['test', 'pytest']],
];

function toolchainChecks(project: Project): readonly ToolchainCheck[] {
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
  const configured = PYTHON.filter(([table]) => table.test(toml)).map(([, [purpose, command]]) => ({ purpose, command: `${runner}${command}`, from }));
  return configured.some(({ purpose }) => purpose === 'test') ? configured : [...configured, ...pythonTests({ names, texts }, runner)];
}

/** Tests that nobody has configured: those of pytest by its own files, those of unittest by what they import. */
function pythonTests({ names, texts }: Project, runner: string): readonly ToolchainCheck[] {
  const pytest = ['pytest.ini', 'conftest.py'].find((name) => names.has(name));
  if (pytest !== undefined) return [{ purpose: 'test', command: `${runner}pytest`, from: pytest }];
  const unittest = [...texts].find(([name, text]) => PYTHON_TESTS.test(name) && /^\s*(?:import|from) unittest\b/m.test(text));
  return unittest === undefined ? [] : [{ purpose: 'test', command: `${runner}python3 -m unittest`, from: unittest[0] }];
}

/** Those that `python3 -m unittest` finds. */
const PYTHON_TESTS = /^test\w*\.py$/;
const MOST_TESTS_READ = 3;

/** Tools in the environment of uv or poetry are not on PATH. */
function pythonRunner(names: Project['names']): string {
  if (names.has('uv.lock')) return 'uv run ';
  return names.has('poetry.lock') ? 'poetry run ' : '';
}

/** The top folder of a project: the names of its files, and the text of those that configure checks. */
export interface Project {
  readonly names: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

const CONFIGURATION_FILES = ['package.json', 'GNUmakefile', 'makefile', 'Makefile', 'pyproject.toml'];

/** Skips files that cannot be read. */
export async function readProject(cwd: string): Promise<Project> {
  const entries = await readdir(cwd, { withFileTypes: true }).catch(() => []);
  const names = new Set(entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name));
  const texts = new Map<string, string>();
  const tests = [...names].filter((name) => PYTHON_TESTS.test(name)).slice(0, MOST_TESTS_READ);
  for (const name of [...CONFIGURATION_FILES.filter((one) => names.has(one)), ...tests]) {
    const read = await readText(join(cwd, name), 'refuse pipes');
    if (read.kind === 'text') texts.set(name, read.text);
  }
  return { names, texts };
}
