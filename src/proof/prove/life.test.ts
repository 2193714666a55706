import { describe, expect, it } from 'vitest';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import { lifeOf } from './life.ts';
import { isRedAnyway } from './other-names-run.ts';
import type { ProofCopy } from './proof-copy.ts';
import { timedLife } from './prove.ts';

const PATH = 'test/a.test.js';
const TEXT = "import test from 'node:test';\nimport assert from 'node:assert';\ntest('a', () => assert.equal(1, 1));\n";
const gate = { command: 'node --test' } as GateSpec;
const sight = {
  runners: ['node-test'],
  tests: [PATH],
  specs: [],
  compared: [],
  choosesTests: false,
  checked: { named: [], folders: [''] },
} as unknown as GateSight;

/** A copy whose gate prints everything that is planted in it, and reports this many tests of its own in each run. */
function copyThatRuns(...own: readonly number[]): { readonly copy: ProofCopy; readonly runs: () => number } {
  let planted = '';
  let runs = 0;
  const copy = {
    files: new Map([[PATH, {}]]),
    paths: [PATH],
    read: async () => TEXT,
    write: (_path: string, text: string) => {
      planted = text;
    },
    restore: async () => undefined,
    runPlanted: async () => {
      const tokens = [...new Set([...planted.matchAll(/\['(\w{6})', '(\w{6})'\]/g)].map(([, one, two]) => `${one}${two}`))];
      const tests = (own[runs] ?? 0) + tokens.length;
      runs += 1;
      return { green: false, ending: { kind: 'exited', code: 1 }, output: `${tokens.join('\n')}\n# tests ${tests}\n# skipped 0\n` } as unknown as GateResult;
    },
  };
  return { copy: copy as unknown as ProofCopy, runs: () => runs };
}

const look = (copy: ProofCopy, before: GateLife | null) => lifeOf({ gate, copy, sight, before }, new AbortController().signal);
const before = (tests: number): GateLife => ({ command: gate.command, state: 'living', files: [PATH], half: [], tests, why: '' });

it('a living gate reports how many tests it runs, without the planted ones', async () => {
  expect(await look(copyThatRuns(5).copy, null)).toMatchObject({ state: 'living', files: [PATH], tests: 5 });
});

it('a gate with fewer tests than at the start runs again, and the larger number counts', async () => {
  const flaky = copyThatRuns(4, 5);
  expect(await look(flaky.copy, before(5))).toMatchObject({ state: 'living', tests: 5 });
  const same = copyThatRuns(5);
  expect(await look(same.copy, before(5))).toMatchObject({ state: 'living', tests: 5 });
  expect([flaky.runs(), same.runs()]).toEqual([2, 1]);
  expect(await look(copyThatRuns(4, 4).copy, before(5))).toMatchObject({ state: 'living', tests: 4 });
});

it('a gate whose runner skipped more tests than it counts has run 0 tests, not fewer', async () => {
  expect(await look(copyThatRuns(-1).copy, null)).toMatchObject({ state: 'living', tests: 0 });
});

/** A copy whose gate prints the tokens of the probes that can still fail. */
function copyWithProbes(bent: number, text = TEXT): ProofCopy {
  let planted = '';
  const copy = {
    files: new Map([[PATH, {}]]),
    paths: [PATH],
    read: async () => text,
    write: (_path: string, next: string) => {
      planted = next;
    },
    restore: async () => undefined,
    runPlanted: async () => {
      const tokens = [...planted.matchAll(/\['(\w{6})', '(\w{6})'\]/g)].map(([, one, two]) => `${one}${two}`);
      const [, first, second] = /\["(\w{6})", "(\w{6})"\]/.exec(planted) ?? [];
      const asked = [0, 1].slice(bent).map((at) => `${first}${second}x${at}x`);
      return { green: false, ending: { kind: 'exited', code: 1 }, duration_ms: 1, output: [...tokens, ...asked].join('\n') } as unknown as GateResult;
    },
  };
  return copy as unknown as ProofCopy;
}

const TWO = `${TEXT}test('b', () => assert.equal(f(), 2));\n`;

it('assertions that could fail at the start and cannot now are reported, unless they are gone', async () => {
  const start = await look(copyWithProbes(0, TWO), null);
  expect(start.own).toHaveLength(2);
  expect((await look(copyWithProbes(0, TWO), start)).bent).toBeUndefined();
  expect(await look(copyWithProbes(1, TWO), start)).toMatchObject({ state: 'living', bent: [PATH] });
  expect((await look(copyWithProbes(1, TWO.replace('1, 1', '1, 1.0')), start)).bent).toBeUndefined();
});

it('an assertion that could not be probed at the start is not probed later', async () => {
  const start = await look(copyWithProbes(2, TWO), null);
  expect(start.own).toBeUndefined();
  expect((await look(copyWithProbes(2, TWO), start)).bent).toBeUndefined();
});

/** A copy of a gate that compares with one golden file, and notices changes in it or not. */
function copyWithGolden(looksAtIt: boolean): ProofCopy {
  let text = 'golden\n';
  const copy = {
    files: new Map([['want.txt', {}]]),
    paths: ['want.txt'],
    read: async () => text,
    write: (_path: string, next: string) => {
      text = next;
    },
    restore: async () => {
      text = 'golden\n';
    },
    runPlanted: async () => ({ green: !looksAtIt || text === 'golden\n', ending: { kind: 'exited', code: 0 }, output: '' }) as unknown as GateResult,
  };
  return copy as unknown as ProofCopy;
}

it('a gate that only compares is living if it notices changes in its golden file', async () => {
  const golden = { ...sight, runners: [], tests: [], compared: ['want.txt'] } as unknown as GateSight;
  const ask = (copy: ProofCopy, start: GateLife | null) => lifeOf({ gate, copy, sight: golden, before: start }, new AbortController().signal);
  const start = await ask(copyWithGolden(true), null);
  expect(start).toMatchObject({ state: 'living', files: ['want.txt'] });
  expect(await ask(copyWithGolden(true), start)).toMatchObject({ state: 'living' });
  expect(await ask(copyWithGolden(false), start)).toMatchObject({ state: 'unknown', bent: ['want.txt'] });
  expect((await ask(copyWithGolden(false), null)).bent).toBeUndefined();
});

type Told = 'red' | 'green' | 'hangs';

/** A copy whose gate gives these results one after the other with failures planted; a red one shows what was planted. */
function copyThatGives(...results: readonly Told[]): { readonly copy: ProofCopy; readonly runs: () => number } {
  const { copy } = copyThatRuns();
  let runs = 0;
  const runPlanted = async (...args: Parameters<ProofCopy['runPlanted']>) => {
    const told = results[runs] ?? 'red';
    runs += 1;
    const red = await copy.runPlanted(...args);
    if (told === 'red') return red;
    return {
      ...red,
      output: '',
      ...(told === 'green' ? { green: true, ending: { kind: 'exited', code: 0 } } : { ending: { kind: 'stopped', cause: 'time' } }),
    } as GateResult;
  };
  return { copy: { ...copy, runPlanted }, runs: () => runs };
}

it.each<[string, readonly Told[], Partial<GateLife>, number]>([
  ['green and then red is living: a flaky canary is no alarm', ['green', 'red'], { state: 'living' }, 2],
  ['green twice is dead', ['green', 'green'], { state: 'dead' }, 2],
  ['stopped for its time is unknown, and not run again', ['hangs'], { state: 'unknown', why: expect.stringContaining('did not end by itself') as string }, 1],
  ['green and then stopped for its time is unknown', ['green', 'hangs'], { state: 'unknown' }, 2],
])('at the start a gate that is, with failures planted, %s', async (_, results, life, runs) => {
  const seen = copyThatGives(...results);
  expect(await look(seen.copy, null)).toMatchObject(life);
  expect(seen.runs()).toBe(runs);
});

it.each<[string, readonly Told[], Partial<GateLife>]>([
  ['green and then red is living', ['green', 'red'], { state: 'living' }],
  ['stopped for its time and then red is living', ['hangs', 'red'], { state: 'living' }],
  ['green twice is dead', ['green', 'green'], { state: 'dead', why: expect.stringContaining('stays green') as string }],
  [
    'stopped twice is dead, because it ended at the start',
    ['hangs', 'hangs'],
    { state: 'dead', why: expect.stringContaining('no longer ends by itself') as string },
  ],
  ['never red is dead', ['hangs', 'green'], { state: 'dead' }],
])('at the claim a gate that was alive and now is, with failures planted, %s', async (_, results, life) => {
  expect(await look(copyThatGives(...results).copy, before(0))).toMatchObject(life);
});

it('at the claim a gate that hangs only with failures planted is dead, also if nothing was known of it at the start', async () => {
  const ask = (start: GateLife | null, ...results: readonly Told[]) =>
    lifeOf({ gate, copy: copyThatGives(...results).copy, sight, before: null, claim: { start } }, new AbortController().signal);
  const empty: GateLife = { command: gate.command, state: 'unknown', files: [], why: 'has no test file yet' };
  for (const start of [null, empty]) {
    expect(await ask(start, 'hangs', 'hangs')).toMatchObject({ state: 'dead' });
    expect(await ask(start, 'hangs', 'red')).toMatchObject({ state: 'living' });
  }
  const hung = await look(copyThatGives('hangs').copy, null);
  expect(await ask(hung, 'hangs', 'hangs')).toMatchObject({ state: 'unknown', why: hung.why });
});

/** A copy in which this many tests fail besides the planted ones while its tests have other names. */
function copyThatLooksAtNames(...besides: readonly number[]): { readonly copy: ProofCopy; readonly runs: () => number } {
  const { copy } = copyThatRuns();
  let text = '';
  let runs = 0;
  const runPlanted = async (...args: Parameters<ProofCopy['runPlanted']>) => {
    const result = await copy.runPlanted(...args);
    const planted = result.output.split('\n').filter((line) => /^\w{12}$/.test(line)).length;
    const failed = planted + (text.includes("test('a', ") ? 0 : (besides[runs] ?? 0));
    runs += 1;
    return { ...result, green: failed === 0, output: `${result.output}at ${PATH}\n# fail ${failed}\n` } as GateResult;
  };
  const write = (path: string, next: string) => {
    text = next;
    copy.write(path, next);
  };
  return { copy: { ...copy, write, runPlanted }, runs: () => runs };
}

it.each<[string, readonly number[], Partial<GateLife>, number]>([
  ['no test fails but the planted ones: one run', [0], {}, 1],
  ['a test fails, and again twice with nothing planted: it is named', [1, 0, 1, 1], { named: [PATH] }, 4],
  ['a test fails, but not with nothing planted', [1, 0, 0], {}, 3],
  ['a test fails, but only once with nothing planted', [1, 0, 1, 0], {}, 4],
])('at the claim the tests have other names, and under these %s', async (_, besides, life, runs) => {
  const seen = copyThatLooksAtNames(...besides);
  const found = await look(seen.copy, before(0));
  expect(found.state).toBe('living');
  expect(found.named).toEqual(life.named);
  expect(seen.runs()).toBe(runs);
});

describe('a checker whose command looks at a small part of the tree', () => {
  const CHECKED = { ...sight, runners: ['tsc'], tests: [], checked: { named: [], folders: [''] }, decides: () => null } as unknown as GateSight;
  const others = Array.from({ length: 30 }, (_, at) => `a/f${at}.ts`);

  /** A copy in which the gate looks at one file, and prints the names of all files of its folder if that is broken. */
  function copyThatChecks(read: string | null, unreadable: readonly string[] = []): { readonly copy: ProofCopy; readonly runs: () => number } {
    const paths = [...others, 'a/only.ts'];
    const broken = new Set<string>();
    let runs = 0;
    const copy = {
      files: new Map(paths.map((path) => [path, {}])),
      paths,
      read: async (path: string) => (unreadable.includes(path) ? null : ''),
      write: (path: string) => void broken.add(path),
      restore: async () => broken.clear(),
      runPlanted: async () => {
        runs += 1;
        const green = read === null || !broken.has(read);
        return { green, ending: { kind: 'exited', code: green ? 0 : 2 }, output: green ? '' : `${read}(1,1): error TS2322` } as unknown as GateResult;
      },
    };
    return { copy: copy as unknown as ProofCopy, runs: () => runs };
  }

  const ask = (copy: ProofCopy) => lifeOf({ gate, copy, sight: CHECKED, before: null }, new AbortController().signal);

  it('is living if it is red with all sources broken, and shows the one that it reads', async () => {
    const { copy, runs } = copyThatChecks('a/only.ts');
    expect(await ask(copy)).toMatchObject({ state: 'living', files: ['a/only.ts'] });
    expect(runs()).toBe(3);
  });

  it('is dead only if it stays green with all sources broken', async () => {
    const { copy, runs } = copyThatChecks(null);
    expect(await ask(copy)).toMatchObject({ state: 'dead' });
    expect(runs()).toBe(2);
  });

  it('is unknown if a source cannot be broken', async () => {
    expect(await ask(copyThatChecks(null, ['a/only.ts']).copy)).toMatchObject({
      state: 'unknown',
      why: expect.stringContaining('stays green with 30 sources broken, and Ralph could not break 1 other'),
    });
  });
});

/** A copy whose gate fails with the planted failures and this many others, as often as it runs its tests, and takes its time. */
function copyThatFails(others: number, { times = 1, tookMs = 1 } = {}): ProofCopy {
  const { copy } = copyThatRuns(0);
  const runPlanted = async (...args: Parameters<ProofCopy['runPlanted']>) => {
    const result = await copy.runPlanted(...args);
    return { ...result, duration_ms: tookMs, output: `${result.output}# fail ${times * (2 + others)}\n` };
  };
  return { ...copy, runPlanted };
}

it('a gate in which more fails at the start than was planted may be red anyway, unless it only reports each failure twice', async () => {
  expect(await look(copyThatFails(1), null)).toMatchObject({ state: 'living', red_besides: true });
  expect((await look(copyThatFails(0), null)).red_besides).toBeUndefined();
  expect((await look(copyThatFails(0, { times: 2 }), null)).red_besides).toBeUndefined();
  const claim = { gate, copy: copyThatFails(1), sight, before: null, claim: { start: null } };
  expect((await lifeOf(claim, new AbortController().signal)).red_besides).toBeUndefined();
});

it('a gate that shows none of the planted failures is not said to be red anyway', () => {
  expect(isRedAnyway({ output: '# fail 1\n' }, [{ path: PATH, text: '', tokens: ['kkk1'], cases: 1 }])).toBe(false);
});

it('the look at the start says how long a gate takes if that is minutes', async () => {
  const timed = (tookMs: number) => timedLife({ gate, copy: copyThatFails(0, { tookMs }), sight, before: null }, new AbortController().signal);
  expect(await timed(20 * 60_000)).toMatchObject({ state: 'living', slow_ms: 20 * 60_000 });
  expect((await timed(60_000)).slow_ms).toBeUndefined();
});
