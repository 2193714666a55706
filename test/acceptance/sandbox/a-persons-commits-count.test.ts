import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { deepRows } from '../../support/deep.ts';
import { type HostileStage, openHostileStage } from '../../support/hostile-stage.ts';
import { endOf } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

const test = (wanted: string) => `require('node:test').test('adds', () => require('node:assert').ok(${wanted}));\n`;
const loop = (mode: string, most = 60) => [
  ...['loop', 'Do it.', '--check', 'node --test', '--agent', 'sh agent.sh'],
  ...['--max-iterations', `${most}`, '--json', `--sandbox=${mode}`],
];
const ANN = '-c user.name=Ann -c user.email=ann@example.com';

/** An agent that waits in its own way until something is so, and then claims. */
const openWith = (agent: string) =>
  openHostileStage({
    settings: { proof: { level: 'green' } },
    files: { 'agent.sh': `cat >/dev/null\n${agent}\n`, 'add.js': 'module.exports = () => 0;\n', 'add.test.js': test("require('./add.js')() === 2") },
  });

/** Begins a loop, does something as a person once its first attempt is over, and waits for the end. */
async function withAPerson(stage: HostileStage, mode: string, act: () => Promise<void>) {
  const running = stage.begin(...loop(mode));
  const runs = join(stage.repo.path, '.git/ralph/runs');
  const journals = () => (existsSync(runs) ? readdirSync(runs) : []).map((run) => join(runs, run, 'journal.jsonl')).filter((path) => existsSync(path));
  await until('an attempt is over', () => journals().some((path) => readFileSync(path, 'utf8').includes('"attempt.ended"')));
  await act();
  return await endOf(running);
}

const FOLLOWS = `grep -q '=== 3' add.test.js || exit 0\necho 'module.exports = () => 3;' > add.js\necho COMPLETE`;
const wantsThree = async ({ repo }: HostileStage) => {
  await repo.write('add.test.js', test("require('./add.js')() === 3"));
  repo.git('commit', '-qm', 'three', 'add.test.js');
};

describe.skipIf(bubblewrapIsMissing())('behind the os sandbox', () => {
  it('a test that a person commits while a run is at work is the one that counts', async () => {
    await using stage = await openWith(FOLLOWS);
    const run = await withAPerson(stage, 'os', () => wantsThree(stage));
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, proof: { verdict: 'proven' } } });
  });

  it('a test that an agent weakens and a person commits with everything else is still held', async () => {
    await using stage = await openWith(`echo '${test('true').trim().replaceAll("'", '"')}' > add.test.js\ntest -e by-hand.txt && echo COMPLETE`);
    const run = await withAPerson(stage, 'os', async () => {
      await until('it has landed', () => readFileSync(join(stage.repo.path, 'add.test.js'), 'utf8').includes('true'));
      await stage.repo.write('by-hand.txt', 'mine\n');
      stage.repo.git('add', '-A');
      stage.repo.git('commit', '-qm', 'all of it');
    });
    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', proof: { changed: [{ path: 'add.test.js' }] } } });
  });
});

const WEAKENS = `echo '${test('true').trim().replaceAll("'", '"')}' > add.test.js`;
const COMMITS = `${WEAKENS}\ngit ${ANN} commit -qm ok add.test.js --author 'Ann <ann@example.com>'\necho COMPLETE`;

describe('a test that an agent weakens and commits by another name', () => {
  it.each(deepRows('all other ways behind the os sandbox have a test in src/workspace/isolated', ['guard', 'os'], 1))(
    'is held with --sandbox=%s',
    async (mode) => {
      if (mode === 'os' && bubblewrapIsMissing()) return;
      await using stage = await openWith(COMMITS);
      const run = await stage.ralph(...loop(mode, 1));
      expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', proof: { changed: [{ path: 'add.test.js' }] } } });
      expect(stage.repo.git('log', '-1', '--format=%an')).toBe('Ann');
    },
  );
});
