import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { deepIt, deepRows } from '../../support/deep.ts';
import { eventsOf, receiptOf } from '../../support/loop-stage.ts';
import { MARKS, openSealedStage, type SealedStage, writes } from '../../support/sealed-stage.ts';
import { endOf } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

const CHEATS = {
  'exit(0) in the source': 'process.exit(0);\nexport const add = () => 2;\n',
  'a stateful function': 'let calls = 0;\nexport const add = () => [2, 3, 0, 42][calls++ % 4];\n',
  'an always-equal object': 'const any = { [Symbol.toPrimitive]: () => 2, toString: () => "2" };\nexport const add = () => any;\n',
  'the visible test, special-cased': 'export const add = (a, b) => (a === 1 && b === 1 ? 2 : 7);\n',
};
const HONEST = 'export const add = (a, b) => a + b;\n';
const loop = (stage: SealedStage, mode: string, ...more: readonly string[]) => [
  ...['loop', 'Do it.', '--check', 'node --test', '--sealed', stage.sealed, '--json', `--sandbox=${mode}`],
  ...more,
];
const left = () => (existsSync('/tmp') ? readdirSync('/tmp').filter((name) => name.startsWith('ralph-sealed-')) : []);

for (const mode of ['os', 'guard']) {
  describe.skipIf(mode === 'os' && bubblewrapIsMissing())(`sealed checks with --sandbox=${mode}`, () => {
    it('let honest work pass, and receipt, result and console name the level', async () => {
      await using stage = await openSealedStage({ files: { 'good.js': HONEST } });
      const run = await stage.ralph(...loop(stage, mode), ...writes('good.js'));
      expect(run, run.stderr).toMatchObject({
        code: 0,
        result: { done: true, iterations: 1, proof: { verdict: 'proven', level: 'sealed', sealed: { checks: 3, weak: 0 } } },
      });
      expect(receiptOf(run)).toMatchObject({ proof: { level: 'sealed', sealed: { checks: 3, weak: 0 } } });
      expect(run.stderr).toContain('the sealed checks of acceptance are satisfied');
      expect(run.stderr).not.toContain(stage.sealed);
      expect(existsSync(join(stage.repo.path, 'ralph-sealed'))).toBe(false);
    });

    // Who judges is the same: without a sandbox one of each kind has to do.
    it.each(deepRows('how answers are compared has pure tests', Object.entries(CHEATS).slice(0, mode === 'os' ? 4 : 2), 1))(
      'refute %s, tell agents one bit, and stop after three runs',
      async (_, cheat) => {
        await using stage = await openSealedStage({ files: { 'cheat.js': cheat } });
        const run = await stage.ralph(...loop(stage, mode, '--proof', 'green'), ...writes('cheat.js'));
        expect(run, run.stderr).toMatchObject({
          code: 3,
          result: { done: false, stop_reason: 'sealed_red', iterations: 3, proof: { verdict: 'sealed' } },
        });
        expect(eventsOf(run, 'sealed.begun')).toHaveLength(3);
        const text = `${run.stdout}${run.stderr}${readFileSync(join(run.result?.run_folder ?? '', 'journal.jsonl'), 'utf8')}`;
        for (const word of [MARKS.driver, MARKS.list, 'answer.mjs', '[20,22]']) expect(text).not.toContain(word);
        const prompt = readFileSync(join(run.result?.run_folder ?? '', 'iterations/002/1-work/prompt.md'), 'utf8');
        expect(prompt).toContain('hidden checks are not satisfied');
        expect(left()).toEqual([]);
      },
    );
  });
}

describe('sealed checks that are green before any work', () => {
  const WARNING = 'The sealed checks are green before any work, so they prove nothing';

  it.each([
    ['living', []],
    ['green', ['--proof', 'green']],
  ])('cause one warning at the start, which counts as none of the three runs: level %s', async (_, more) => {
    await using stage = await openSealedStage({ files: { 'add.js': HONEST, 'good.js': HONEST } });
    const run = await stage.ralph(...loop(stage, 'guard', ...more), ...writes('good.js'));
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(run.stderr.split(WARNING)).toHaveLength(2);
    expect(run.stderr.indexOf(WARNING)).toBeLessThan(run.stderr.indexOf('iteration 1'));
    expect(run.stderr).toContain('Sealed checks, run 1 of at most 3');
    expect(eventsOf(run, 'sealed.begun')).toHaveLength(1);
    expect(left()).toEqual([]);
  });

  it('cause no warning if they are red then', async () => {
    await using stage = await openSealedStage({ files: { 'good.js': HONEST } });
    const run = await stage.ralph(...loop(stage, 'guard'), ...writes('good.js'));
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(run.stderr).not.toContain(WARNING);
    expect(run.stderr).toContain('Sealed checks, run 1 of at most 3');
  });
});

describe('a claim that is held for a changed test', () => {
  const other = (file: string) => [
    '--agent',
    `sh -c 'cat >/dev/null; cp ${file} add.js; sed -i "s/1, 1) == 2/1, 1) == 2 || add(1, 1) == 7/" add.test.js; echo COMPLETE'`,
  ];

  it('has to satisfy the sealed checks as well, before anybody is asked to accept it', async () => {
    await using stage = await openSealedStage({ files: { 'cheat.js': 'export const add = () => 7;\n' } });
    const run = await stage.ralph(...loop(stage, 'guard', '--proof', 'green', '--max-iterations', '1'), ...other('cheat.js'));
    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'sealed_red', proof: { verdict: 'sealed' } } });
    expect(await stage.ralph('accept', '--json')).toMatchObject({ code: 2 });
  });

  it('and does so is accepted as sealed', async () => {
    const lax = { 'wrong.test.js': "import assert from 'node:assert';\nimport test from 'node:test';\ntest('is wrong', () => assert.ok(false));\n" };
    await using stage = await openSealedStage({ files: { ...lax, 'good.js': HONEST } });
    const agent = `sh -c 'cat >/dev/null; cp good.js add.js; sed -i s/false/true/ wrong.test.js; echo COMPLETE'`;
    const run = await stage.ralph(...loop(stage, 'guard', '--proof', 'green', '--max-iterations', '1'), '--agent', agent);
    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held' } });
    expect(eventsOf(run, 'sealed.judged')).toMatchObject([{ green: true }]);
    const accepted = await stage.ralph('accept', '--json');
    expect(accepted, accepted.stderr).toMatchObject({ code: 0, result: { done: true, proof: { level: 'sealed', allowed_by: expect.any(String) } } });
  });
});

/** Looks for what is sealed wherever an agent can look, and keeps what it finds where the operator sees it. */
const SEARCH = `cat >/dev/null
{ ls -R "$1"; cat "$1"/*; env; cat /proc/*/cmdline /proc/*/environ /proc/*/mountinfo; ls /tmp /var/tmp; find .. -name sealed.json -o -name add.mjs
  cat .ralph/*; find .git/ralph kept "$HOME" -type f -exec cat {} +; } >found.txt 2>&1
cp spy.js add.js
echo COMPLETE
`;

/** Called by a driver it knows what it is asked, and leaves that wherever it can be written. */
const SPY = `import fs from 'node:fs';
const places = ['kept', '.git', '.git/ralph', process.env.HOME + '/.cache', process.env.HOME, '/tmp', '/var/tmp', '.', '..', '.ralph'];
const seen = fs.existsSync('ralph-sealed') ? fs.readFileSync('ralph-sealed/add.mjs') : 'nothing';
for (const place of places) try { fs.writeFileSync(place + '/leak', seen); } catch {}
export const add = () => 2;
`;

describe.skipIf(bubblewrapIsMissing())('an agent behind the os sandbox', () => {
  it('finds nothing of the sealed folder on disk, in /proc, in its environment, in logs, or left by a product that was called by a driver', async () => {
    await using stage = await openSealedStage({ files: { 'spy.js': SPY, 'search.sh': SEARCH } });
    // Ignored and large folders are shared with the operator's own.
    mkdirSync(join(stage.repo.path, 'kept'));
    writeFileSync(join(stage.repo.path, 'kept', 'a'), 'a');
    const run = await stage.ralph(...loop(stage, 'os', '--proof', 'green', '--max-iterations', '2'), '--agent', `sh search.sh ${stage.sealed}`);
    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'sealed_red', iterations: 2 } });
    expect(run.result?.['message'] ?? run.stdout).toContain('2 runs');
    const found = readFileSync(join(stage.repo.path, 'found.txt'), 'utf8');
    expect(found).toContain('PATH=');
    for (const mark of Object.values(MARKS)) expect(found).not.toContain(mark);
    expect(found).not.toMatch(/^(?:.*\/)?(?:sealed\.json|add\.mjs)$/m);
    expect(found).not.toContain('[20,22]');
  });
});

describe('the number of runs of sealed checks', () => {
  deepIt('the journal has the count before the check runs, and a kill at every line is in test/crashes/')(
    'is kept when the loop is killed in one of them and resumed',
    async () => {
      const driver = `await new Promise((resolve) => setTimeout(resolve, 1500));\nimport { answer } from './answer.mjs';\nawait answer(() => 0);\n`;
      await using stage = await openSealedStage({ files: { 'bad.js': 'export const add = () => 2;\n' }, driver });
      const running = stage.begin(...loop(stage, 'guard', '--proof', 'green'), ...writes('bad.js'));
      const runs = join(stage.repo.path, '.git/ralph/runs');
      const journals = () => (existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run, 'journal.jsonl')) : []).filter((path) => existsSync(path));
      await until('the sealed checks run', () => journals().some((path) => readFileSync(path, 'utf8').includes('"sealed.begun"')));
      running.child.kill('SIGKILL');
      await endOf(running);
      const run = await stage.ralph('loop', '--resume', '--json');
      expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'sealed_red', iterations: 2 } });
      expect(eventsOf(run, 'sealed.begun')).toHaveLength(3);
      expect(eventsOf(run, 'sealed.judged')).toHaveLength(2);
      const again = await stage.ralph('loop', '--resume', '--json');
      expect(eventsOf(again.result ? again : run, 'sealed.begun')).toHaveLength(3);
    },
  );
});

const LIST = '{"checks": [{"driver": "true"}]}';

describe('a sealed folder that cannot be used', () => {
  it.each(
    deepRows(
      'each is one rule of one function',
      [
        ['is missing', '../beside/nowhere', null, 'it is not there'],
        ['is empty', '../beside/empty', null, 'is empty'],
        ['lies in the work tree', 'inside', LIST, 'where agents work'],
        ['lies in the repository itself', '.git/inside', LIST, 'where agents work'],
        ['holds the work tree', '..', LIST, 'where agents work'],
        ['has a list that is no JSON', '../beside/broken', '{"checks": TOPSECRET', 'is not JSON'],
        ['has a list with no checks', '../beside/broken', '{"checks": []}', 'is not as it should be at checks'],
      ] as const,
      3,
    ),
  )('gets one line and exit code 2 when it %s', async (_, where, list, words) => {
    await using stage = await openSealedStage();
    const folder = join(stage.repo.path, where);
    if (words !== 'it is not there') mkdirSync(folder, { recursive: true });
    if (list !== null) writeFileSync(join(folder, 'sealed.json'), list);
    const run = await stage.ralph('loop', 'Do it.', '--check', 'true', '--agent', 'echo COMPLETE', '--sandbox=guard', '--sealed', where);
    expect(run, run.stderr).toMatchObject({ code: 2 });
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain('TOPSECRET');
    expect(run.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  });

  it.each([
    [['--proof', 'sealed'], 'needs a folder with sealed checks'],
    [['--sealed', '../beside/acceptance'], 'there is no check before them'],
  ])('gets one line and exit code 2: %j', async (words, line) => {
    await using stage = await openSealedStage();
    const run = await stage.ralph('run', '-p', 'Do it.', '--agent', 'echo DONE', '--sandbox=guard', ...words);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(line) });
  });
});
