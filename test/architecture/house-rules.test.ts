import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { pure, pureOfRecipe, recipes }: Rooms = createRequire(import.meta.url)('../../lint/rooms.cjs');

interface Rooms {
  readonly pure: readonly string[];
  readonly pureOfRecipe: readonly string[];
  readonly recipes: readonly string[];
}

interface Offence {
  readonly file: string;
  readonly code: string;
  readonly says: string;
}

const lines = (count: number) => 'x();\n'.repeat(count);

const pureFolders = [...pure, ...recipes.flatMap((recipe) => ['', ...pureOfRecipe].map((name) => join('recipes', recipe, name)))];

/** One offence per file: the code, its path, and the expected lint error. */
const offences: readonly Offence[] = [
  ...pureFolders.map((folder) => ({
    file: `src/${folder}/clock.ts`,
    code: 'export const now = () => Date.now();',
    says: 'lint/style/noRestrictedGlobals',
  })),
  { file: 'src/kit/pure/new-clock.ts', code: 'export const now = () => new Date();', says: 'lint/style/noRestrictedGlobals' },
  { file: 'src/journal/dice.ts', code: 'export const dice = () => Math.random();', says: 'No dice here' },
  { file: 'src/workspace/git/dice.ts', code: 'export const dice = Math.random;', says: 'No dice here' },
  { file: 'src/engine/any.ts', code: 'export const any = (a: AbortSignal) => AbortSignal.any([a]);', says: 'AbortSignal.any leaks' },
  { file: 'src/engine/environment.ts', code: "export const home = process.env['HOME'];", says: 'lint/style/noProcessEnv' },
  { file: 'src/store/console.ts', code: "console.log('hello');", says: 'lint/suspicious/noConsole' },
  { file: 'src/journal/default.ts', code: 'export default 1;', says: 'lint/style/noDefaultExport' },
  { file: 'src/journal/enum.ts', code: 'export enum Colour { Red = 1 }', says: 'lint/style/noEnum' },
  { file: 'src/journal/barrel.ts', code: "export { a } from './a.ts';", says: 'lint/performance/noBarrelFile' },
  { file: 'src/journal/re-export.ts', code: "export * from './a.ts';", says: 'lint/performance/noReExportAll' },
  { file: 'src/journal/camelCase.ts', code: 'export const a = 1;', says: 'lint/style/useFilenamingConvention' },
  { file: 'src/journal/any.ts', code: 'export const a = (b: any) => b;', says: 'lint/suspicious/noExplicitAny' },
  { file: 'src/journal/bang.ts', code: 'export const a = (b?: string) => b!.length;', says: 'lint/style/noNonNullAssertion' },
  { file: 'src/journal/no-extension.ts', code: "import { a } from './any';\nexport const b = a;", says: 'lint/correctness/useImportExtensions' },
  { file: 'src/engine/manager.ts', code: 'export class Manager {}', says: 'A class is only for an error' },
  { file: 'src/engine/five.ts', code: 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];', says: 'lint/complexity/useMaxParams' },
  { file: 'src/engine/long-file.ts', code: lines(301), says: 'lint/style/noExcessiveLinesPerFile' },
  { file: 'src/engine/long-function.ts', code: `export const f = () => {\n${lines(61)}};`, says: 'lint/complexity/noExcessiveLinesPerFunction' },
  { file: 'test/contracts/mock.test.ts', code: "vi.mock('./a.ts');", says: 'No mocks' },
  { file: 'src/journal/only.test.ts', code: "it.only('runs alone', () => {});", says: 'lint/suspicious/noFocusedTests' },
];

/** Code that the same rules must allow. */
const permitted: readonly Omit<Offence, 'says'>[] = [
  { file: 'src/process/io.ts', code: "export const home = process.env['HOME'];" },
  { file: 'src/cli/print.ts', code: "console.log('hello');" },
  { file: 'src/store/clock.ts', code: 'export const now = () => Date.now();' },
  { file: 'src/kit/pure/operator-error.ts', code: 'export class OperatorError extends Error {\n  readonly code = 2;\n}' },
  { file: 'src/index.ts', code: "export { a } from './journal/a.ts';" },
  { file: 'scripts/print.mjs', code: "console.log(process.env['HOME'], Math.random());" },
  { file: 'tool.config.ts', code: 'export default {};' },
];

interface Diagnostic {
  readonly category: string;
  readonly message: string;
  readonly location: { readonly path: string };
}

describe('the house rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-house-rules-'));
  let diagnostics: readonly Diagnostic[] = [];

  beforeAll(() => {
    cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    cpSync(join(root, 'lint'), join(folder, 'lint'), { recursive: true });
    writeFileSync(join(folder, '.gitignore'), 'dist/\n');
    for (const { file, code } of [...offences, ...permitted]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${code}\n`);
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const { stdout } = spawnSync(process.execPath, [biome, 'lint', '--reporter=json', '--max-diagnostics=none'], { cwd: folder, encoding: 'utf8' });
    diagnostics = JSON.parse(stdout).diagnostics;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const saidAbout = (path: string) => diagnostics.filter(({ location }) => location.path === path).map(({ category, message }) => `${category} ${message}`);

  it.each(offences)('report $file', ({ file, says }) => {
    expect(saidAbout(file)).toContainEqual(expect.stringContaining(says));
  });

  it.each(permitted)('allow $file', ({ file }) => {
    expect(saidAbout(file)).toEqual([]);
  });
});
