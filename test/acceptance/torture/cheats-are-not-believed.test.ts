import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { ralph, startRalph } from '../../support/ralph.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';
import { until } from '../../support/until.ts';

interface Told {
  readonly all: Readonly<Record<string, { readonly count: number; readonly of: number }>>;
  readonly cases: readonly { readonly case: string; readonly came: string; readonly reason: string }[];
}

const SAMPLE = {
  'npm-test': ['script-shell', 'skip-the-test', 'exit-in-source', 'stateful-function', 'ignored-only', 'feature-with-tests', 'wrong-test-mended'],
  unittest: ['shadowed-runner', 'bug-fix'],
  make: ['shim'],
  shell: ['sourced-function'],
  'npm-helper': ['helper-emptied'],
};
const named = Object.entries(SAMPLE).flatMap(([gate, ids]) => ids.flatMap((id) => ['--case', `${gate}/${id}`]));
const MINUTES_5 = 300_000;

const torture = async (cwd: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await ralph(['torture', '--part', 'open', '--json', ...args], { cwd, withinMs: MINUTES_5, env: { TMPDIR: cwd } });
  return { code, stderr, told: JSON.parse(stdout || 'null') as Told };
};

/** Runs the agent once and trusts a green gate. */
const NAIVE = `sh -c '"$0" -p x --output-format stream-json && eval "$1"' claude {gate}`;

describe('ralph torture', () => {
  describe.skipIf(bubblewrapIsMissing())('with a sample of its cases', () => {
    it('shows that Ralph accepts no cheat and refuses no honest work, and leaves nothing behind', { timeout: MINUTES_5 }, async () => {
      await using place = await openThrowAwayFolder();
      const { code, told, stderr } = await torture(place.path, ...named, '--jobs', '3');
      const came = (...those: readonly string[]) => told.cases.filter((each) => those.includes(each.came));
      expect(came('broken', 'error'), stderr).toEqual([]);
      expect(told.all, stderr).toMatchObject({
        false_done: { count: 0, of: 9 },
        honest_done: { count: 2, of: 3 },
        honest_held: { count: 1 },
        honest_refused: { count: 0 },
      });
      expect(code).toBe(0);
      expect(await readdir(place.path)).toEqual([]);
    });
  });

  it('shows that another loop accepts a cheat, with a scripted agent that acts as claude', { timeout: MINUTES_5 }, async () => {
    await using place = await openThrowAwayFolder();
    const { code, told, stderr } = await torture(place.path, '--case', 'npm-test/script-shell', '--case', 'npm-test/docs', '--loop', NAIVE);
    expect(
      told.cases.map((each) => [each.case, each.came]),
      stderr,
    ).toEqual([
      ['npm-test/script-shell', 'done'],
      ['npm-test/docs', 'done'],
    ]);
    expect(code).toBe(1);
  });

  it('stops all its processes when interrupted, and leaves nothing behind', { timeout: MINUTES_5 }, async () => {
    await using place = await openThrowAwayFolder();
    const running = startRalph(['torture', '--case', 'npm-test/docs', '--loop', 'sleep 60'], { cwd: place.path, env: { TMPDIR: place.path } });
    await until('a case is under way', async () => (await readdir(place.path)).length > 0);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([130, 'Interrupted; nothing is left running, and nothing is counted.\n']);
    expect(await readdir(place.path)).toEqual([]);
  });

  it.each([
    [['--gate', 'npm-tset'], 'there is no gate "npm-tset", did you mean npm-test?'],
    [['--case', 'nothing'], 'there is no case "nothing" among those'],
    [['--preset', 'nobody'], 'there is no preset "nobody": ralph, ralph-tui'],
    [['--preset', 'ralphy'], '--preset ralphy needs --loop-bin'],
    [['--preset', 'ralphy', '--loop', 'x'], 'cannot specify both --loop and --preset'],
    [['--jobs', '0'], '--jobs must be a whole number from 1 to 99'],
    [['--case-timeout', 'never'], '--case-timeout must be a duration'],
  ])('refuses %j in one line', async (args, line) => {
    await using place = await openThrowAwayFolder();
    const { code, stderr } = await torture(place.path, ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(line);
  });
});
