import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepRows } from '../support/deep.ts';
import { ralph } from '../support/ralph.ts';
import { openRepo } from '../support/repo.ts';

/** A correct and a broken product for the example of each language. */
const PROJECTS: Readonly<Record<string, { readonly tool: string; readonly files: (sum: string) => Readonly<Record<string, string>> }>> = {
  js: { tool: 'node', files: (sum) => ({ 'package.json': '{"type":"module"}', 'add.js': `export const add = (a, b) => ${sum};\n` }) },
  python: { tool: 'python3', files: (sum) => ({ 'add.py': `def add(a, b):\n    return ${sum}\n` }) },
  go: {
    tool: 'go',
    files: (sum) => ({ 'go.mod': 'module example.com/project\n\ngo 1.21\n', 'add/add.go': `package add\n\nfunc Add(a, b int) int { return ${sum} }\n` }),
  },
  rust: {
    tool: 'cargo',
    files: (sum) => ({
      'Cargo.toml': '[package]\nname = "project"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `pub fn add(a: i64, b: i64) -> i64 { ${sum} }\n`,
    }),
  },
  shell: { tool: 'sh', files: (sum) => ({ 'add.sh': `a=$1 b=$2\necho $((${sum}))\n` }) },
};

const isThere = (tool: string) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;

describe('ralph sealed new', () => {
  it.each(
    deepRows(
      'compilers take their time',
      Object.entries(PROJECTS).filter(([, { tool }]) => isThere(tool)),
      1,
    ),
  )('--language %s writes an example that works', async (language, { files }) => {
    for (const [sum, code] of [
      ['a + b', 0],
      ['a - b', 1],
    ] as const) {
      await using repo = await openRepo(files(sum));
      const place = { cwd: repo.path, env: { HOME: process.env['HOME'] ?? '' }, withinMs: 100_000 };
      const made = await ralph(['sealed', 'new', '../beside/sealed', '--language', language], place);
      expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('ralph sealed check ../beside/sealed') });
      const run = await ralph(['sealed', 'check', '../beside/sealed'], place);
      expect(run.code, run.stdout + run.stderr).toBe(code);
      expect(run.stdout).toContain(code === 0 ? 'Satisfied: 3 sealed checks' : 'Not satisfied: ');
      expect(run.stdout.includes('prove nothing')).toBe(code === 0);
      expect(readdirSync(repo.path)).not.toContain('ralph-sealed');
    }
  });

  it('overwrites no existing file', async () => {
    await using repo = await openRepo();
    const place = { cwd: repo.path };
    const run = await ralph(['sealed', 'new', '.'], place);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') });
    expect(readdirSync(join(repo.path)).includes('sealed.json')).toBe(false);
  });

  it.each([
    [['sealed'], 'needs a subcommand: new or check'],
    [['sealed', 'check'], 'no sealed folder is named'],
    [['sealed', 'check', '../nowhere'], 'it is not there'],
    [['sealed', 'new', 'hidden'], 'where agents work'],
  ])('%j gets one clear line and exit code 2', async (words, line) => {
    await using repo = await openRepo();
    expect(await ralph(words, { cwd: repo.path })).toMatchObject({ code: 2, stderr: expect.stringContaining(line) });
  });
});
