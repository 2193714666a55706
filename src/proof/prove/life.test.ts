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
const sight = { runners: ['node-test'], tests: [PATH], specs: [], choosesTests: false } as unknown as GateSight;

/** A copy whose gate prints all that is planted in it, and says in each run that it ran so many tests of its own. */
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

it('a gate that is alive tells how many tests it runs, without the planted ones', async () => {
  expect(await look(copyThatRuns(5).copy, null)).toMatchObject({ state: 'living', files: [PATH], tests: 5 });
});

it('fewer tests than at the start get a second look, and the larger number counts', async () => {
  const flaky = copyThatRuns(4, 5);
  expect(await look(flaky.copy, before(5))).toMatchObject({ state: 'living', tests: 5 });
  const same = copyThatRuns(5);
  expect(await look(same.copy, before(5))).toMatchObject({ state: 'living', tests: 5 });
  expect([flaky.runs(), same.runs()]).toEqual([2, 1]);
  expect(await look(copyThatRuns(4, 4).copy, before(5))).toMatchObject({ state: 'living', tests: 4 });
});
