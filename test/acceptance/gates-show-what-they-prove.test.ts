import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../support/processes-of.ts';
import { type RalphRun, ralph, startRalph } from '../support/ralph.ts';
import { openRepo, type Repo } from '../support/repo.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';
import { until } from '../support/until.ts';

const NODE_TEST = "import { test } from 'node:test';\nimport assert from 'node:assert';\ntest('one', () => assert.strictEqual(1, 1));\n";
const NPM = { 'package.json': '{"type":"module","scripts":{"test":"node --test"}}', 'test/one.test.js': NODE_TEST, 'src/one.js': 'export const one = 1;\n' };
const PYTHON = { 'test_one.py': 'import unittest\n\n\nclass One(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1, 1)\n' };

const gates = (cwd: string, ...args: readonly string[]) => ralph(['gates', ...args], { cwd, env: { HOME: dirname(cwd) } });
const leftIn = (repo: Repo) => ({ worktrees: repo.git('worktree', 'list').split('\n').length, status: repo.git('status', '--porcelain') });
const UNTOUCHED = { worktrees: 1, status: '' };

async function seen(run: Promise<RalphRun>) {
  const { code, stdout, stderr } = await run;
  expect(stderr).toBe('');
  return { code, gates: JSON.parse(stdout).gates };
}

describe('ralph gates', () => {
  it('shows what npm runs, which files decide and where failures would be planted, without running anything', async () => {
    await using repo = await openRepo({ ...NPM, '.ralph/settings.json': '{"guardrails":[{"command":"npm test"}]}' });
    const { code, stdout, stderr } = await gates(repo.path, '--check', 'touch ran');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^npm test\n {2}leads to {5}npm, node-test\n {2}deciders {5}1 configuration, 1 of tests\n {2}living set {3}1 test file should run\n/,
    );
    expect(stdout).toContain('\n  canary       failures would be planted in 1 file: test/one.test.js\n');
    expect(stdout).toContain('\ntouch ran\n  leads to     unknown\n');
    expect(stdout).not.toContain('tried');
    expect((await gates(repo.path, '--all')).stdout).toMatch(/\n {15}package\.json\n {15}test\/one\.test\.js\n/);
    expect(leftIn(repo)).toEqual(UNTOUCHED);
  });

  it('follows the settings of each gate about its proof and its canary', async () => {
    const guardrails = [{ command: 'npm test', canary: false }, { command: 'node --test', proof: 'off' }, { command: 'node --test test' }];
    await using repo = await openRepo({ ...NPM, '.ralph/settings.json': JSON.stringify({ guardrails }) });
    const { code, gates: all } = await seen(gates(repo.path, '--try', '--json'));
    expect(code).toBe(0);
    expect(all).toMatchObject([
      { proof: 'green', canary: { files: [] }, tried: { green: true, state: 'unknown' }, cannot_show: [expect.stringContaining('as its settings say')] },
      { proof: 'off', canary: { files: [] }, tried: null, cannot_show: [expect.stringContaining('is left out of the proof')] },
      { proof: 'living', canary: { files: ['test/one.test.js'] }, tried: { green: true, state: 'living' } },
    ]);
    const { stdout } = await gates(repo.path);
    expect(stdout).toContain('\n  canary       off: its settings ask for no more than green\n');
    expect(stdout).toContain('\n  canary       off: its settings leave it out of the proof\n');
  });

  it('--try runs a gate in a copy with planted failures and leaves nothing behind', async () => {
    await using repo = await openRepo(NPM);
    expect(await seen(gates(repo.path, 'npm test', '--try', '--json'))).toMatchObject({
      code: 0,
      gates: [{ runners: ['node-test'], tried: { green: true, tests: 1, state: 'living', alive: ['test/one.test.js'], dead: [], unknown: [] } }],
    });
    expect(leftIn(repo)).toEqual(UNTOUCHED);
  });

  it('names a file that the gate never runs, and a dead gate', async () => {
    const scripts = { test: 'node --test test/one.test.js test/off.test.js', dead: 'node --test || true' };
    const off = { 'test/off.test.js': `process.exit(0);\n${NODE_TEST.replace(/^import.*\n/gm, '')}` };
    await using repo = await openRepo({ ...NPM, ...off, 'package.json': JSON.stringify({ type: 'module', scripts }) });
    const { code, gates: all } = await seen(gates(repo.path, 'npm test', 'npm run dead', '--try', '--json'));
    expect(code).toBe(1);
    expect(all).toMatchObject([
      { tried: { state: 'living', alive: ['test/one.test.js'], dead: ['test/off.test.js'] } },
      { tried: { green: true, state: 'dead', alive: [], dead: expect.arrayContaining(['test/one.test.js']) as string[] } },
    ]);
  });

  it('recognises Python unittest, also behind make', async () => {
    await using repo = await openRepo({ ...PYTHON, Makefile: 'test:\n\tpython3 -m unittest\n' });
    const { gates: all } = await seen(gates(repo.path, 'python3 -m unittest', 'make test', '--try', '--json'));
    expect(all).toMatchObject([
      { leads_to: ['unittest'], tried: { green: true, tests: 1, state: 'living', alive: ['test_one.py'] } },
      { leads_to: ['make', 'unittest'], deciders: { configuration: ['Makefile'] }, tried: { state: 'living' } },
    ]);
  });

  it('says what a gate cannot prove', async () => {
    await using repo = await openRepo({ 'spec/one_spec.rb': '', ...NPM });
    const { gates: all } = await seen(
      gates(repo.path, './verify-all | tee log', 'rspec', 'node --test --test-name-pattern=one', 'eslint .', 'pnpm test', '--json'),
    );
    expect(all.map(({ cannot_show }: { cannot_show: readonly string[] }) => cannot_show)).toEqual([
      ['runs no test runner that Ralph knows: not shown to be alive', expect.stringContaining("a pipe's exit code")],
      ['documented only: nobody ran rspec against cheats'],
      ['runs only chosen tests: others may be red'],
      ['checks sources and runs no test'],
      ['documented only: nobody ran pnpm against cheats'],
    ]);
  });

  it('works in a subfolder and before the first commit', async () => {
    await using repo = await openRepo({ 'readme.txt': 'x\n' });
    for (const [path, text] of Object.entries(NPM)) {
      await mkdir(dirname(join(repo.path, 'app', path)), { recursive: true });
      await writeFile(join(repo.path, 'app', path), text);
    }
    repo.git('update-ref', '-d', 'HEAD');
    const { gates: all } = await seen(gates(join(repo.path, 'app'), 'npm test', '--try', '--json'));
    expect(all).toMatchObject([{ living_set: ['app/test/one.test.js'], tried: { state: 'living' } }]);
  });

  it('warns outside of git what it cannot find out', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'test_one.py'), PYTHON['test_one.py']);
    const { code, stdout, stderr } = await gates(folder.path, 'python3 -m unittest', '--try');
    expect(code).toBe(0);
    expect(stdout).toContain('1 test file should run');
    expect(stderr).toMatch(/^warning: this is no git repository: Ralph cannot make a copy, .* Nothing was tried\.\n$/);
  });

  it('without a gate suggests the checks it found in the project', async () => {
    await using repo = await openRepo(NPM);
    const { code, stdout } = await gates(repo.path);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No checks: /);
    expect(stdout).toContain('\n  --check "npm test"  (package.json)\n');
    expect(JSON.parse((await gates(repo.path, '--json')).stdout)).toMatchObject({ gates: [], found: [{ command: 'npm test' }] });
  });

  it('leaves neither a copy nor a process when it is interrupted', async () => {
    await using repo = await openRepo(NPM);
    const began = join(repo.beside, 'began');
    const running = startRalph(['gates', `touch ${began}; sleep 600`, '--try'], { cwd: repo.path });
    await until('the gate runs', () => existsSync(began));
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '', stderr: 'Interrupted; nothing is left running.\n' });
    expect(leftIn(repo)).toEqual(UNTOUCHED);
    expect(processesOf(dirname(repo.path))).toEqual([]);
  });

  it('refuses unreadable settings in one line', async () => {
    await using repo = await openRepo({ '.ralph/settings.json': '{' });
    const { code, stderr } = await gates(repo.path);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: .*settings\.json/);
  });
});
