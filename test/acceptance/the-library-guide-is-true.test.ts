import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_ROWS } from '../../src/settings/schema/rows/all-rows.ts';
import { blocksOf } from '../docs/examples/blocks.ts';
import { whyNotShown } from '../docs/examples/matches.ts';
import { bash, claudeScript, ends, scriptedClaudeIn, turn } from '../support/claude-script.ts';
import { deepRows } from '../support/deep.ts';
import { type InstalledPackage, installPackage } from '../support/installed-package.ts';
import { cleanEnv } from '../support/ralph.ts';
import { runBinary } from '../support/run-binary.ts';

const root = join(import.meta.dirname, '../..');
const blocks = blocksOf(readFileSync(join(root, 'docs/guide/as-a-library.md'), 'utf8'));

/** The options of `runLoop` that are settings. */
const OF_SETTINGS = Object.entries(ALL_ROWS).flatMap(([key, { library }]) =>
  library === undefined ? [] : [library === true ? (key.split('.').at(-1) ?? '') : library],
);

/** Every program of the page, and its promised output. */
const programs = blocks.flatMap(({ language, lines, line }, index) => {
  if (language !== 'js') return [];
  const shown = blocks[index + 1];
  return [{ line, source: lines.join('\n'), shown: shown?.language === 'text' ? shown.lines : null }];
});

const writing = (code: string) => bash(`printf '%s\\n' ${JSON.stringify(code)} > slug.js`);
const SCRIPT = [
  turn(writing('export const slug = (text) => text.toLowerCase();'), ...ends('Lower case works.\n\nCOMPLETE')),
  turn(writing("export const slug = (text) => text.toLowerCase().replaceAll(' ', '-');"), ...ends('Blanks become hyphens.\n\nCOMPLETE')),
];

const PACKAGE = {
  'package.json': '{ "name": "slug", "type": "module" }\n',
  'slug.js': 'export const slug = (text) => text;\n',
  'slug.test.js': [
    "import assert from 'node:assert';",
    "import test from 'node:test';",
    "import { slug } from './slug.js';",
    "test('lower case', () => assert.equal(slug('ABC'), 'abc'));",
    "test('blanks', () => assert.equal(slug('A b'), 'a-b'));",
    '',
  ].join('\n'),
};

describe('the page about the library', () => {
  let installed: InstalledPackage;
  let bin = '';
  beforeAll(async () => {
    installed = await installPackage();
    bin = await scriptedClaudeIn(installed.path);
  });
  afterAll(() => installed[Symbol.asyncDispose]());

  /** Inside the project that has the package, so that imports resolve. */
  const openProject = (line: number) => {
    const [project, home] = [join(installed.path, `line-${line}`, 'slug'), join(installed.path, `home-${line}`)];
    for (const folder of [project, home]) mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(PACKAGE)) writeFileSync(join(project, name), content);
    const env = cleanEnv(home, {
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
      XDG_RUNTIME_DIR: home,
      IS_SANDBOX: '1',
      CLAUDE_SCRIPT: claudeScript(SCRIPT),
      CLAUDE_CALLS: join(home, 'calls.jsonl'),
    });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project, env, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 't');
    git('config', 'user.email', 't@example.com');
    git('add', '-A');
    git('commit', '-q', '-m', 'start');
    return { project, env };
  };

  it.each(deepRows('each option of a program is held where it is tested', programs, 4))(
    'has a program in line $line that prints what it shows',
    async ({ line, source, shown }) => {
      const { project, env } = openProject(line);
      const program = join(installed.path, `program-${line}.mjs`);
      writeFileSync(program, source);
      const { code, stdout, stderr } = await runBinary({ file: process.execPath, args: [program], cwd: project, env, stdin: '', withinMs: 100_000 });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(shown === null ? 'nothing is shown' : whyNotShown(shown, stdout)).toBeNull();
    },
  );

  it('has programs that type-check', async () => {
    const typed = blocks.filter(({ language }) => language === 'ts').map(({ lines, line }) => ({ name: `typed-${line}.mts`, source: lines.join('\n') }));
    expect(typed).not.toEqual([]);
    for (const { name, source } of typed) writeFileSync(join(installed.path, name), source);
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const roots = ['--typeRoots', join(root, 'node_modules', '@types')];
    const args = [tsc, ...options, ...roots, ...typed.map(({ name }) => name)];
    const { code, stdout } = await runBinary({
      file: process.execPath,
      args,
      cwd: installed.path,
      env: cleanEnv(installed.path, {}),
      stdin: '',
      withinMs: 100_000,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it.each([
    { file: 'loop-config.ts', type: 'LoopConfig', atLeast: 30 },
    { file: 'supervise-root-options.ts', type: 'SuperviseOptions', atLeast: 20 },
  ])('names every setting of $type', ({ file, type, atLeast }) => {
    const page = readFileSync(join(root, 'docs/guide/as-a-library.md'), 'utf8');
    const [, config = ''] = readFileSync(join(root, 'src/library', file), 'utf8').split(`export interface ${type} `);
    const own = [...config.slice(0, config.indexOf('\n}\n')).matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name ?? '');
    const names = [...own, ...(type === 'LoopConfig' ? OF_SETTINGS : [])];
    expect(names.length).toBeGreaterThan(atLeast);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  });
});
