import { expect, it } from 'vitest';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import { lifeOf } from './life.ts';
import type { ProofCopy } from './proof-copy.ts';

const PATH = 'test/a.test.js';
const TEXT = "import test from 'node:test';\nimport assert from 'node:assert';\ntest('a', () => assert.equal(1, 1));\n";
const gate = { command: 'node --test' } as GateSpec;
const sight = { runners: ['node-test'], tests: [PATH], specs: [], compared: [], choosesTests: false } as unknown as GateSight;

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
