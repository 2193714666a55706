import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../support/claude-script.ts';
import { finishes, openLoopStage, receiptOf, tries } from '../../support/loop-stage.ts';

const TEST =
  "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n";
const files = { 'package.json': '{ "type": "module" }\n', 'src/add.js': 'export const add = (a, b) => a - b;\n', 'test/add.test.js': TEST };
const MENDS = "sed -i 's/a - b/a + b/' src/add.js";

/** How often the gate runs in a loop with these turns: it notes each run outside of the work tree. Red gates do not run again. */
async function gateRuns(...turns: readonly Turn[]): Promise<number> {
  await using stage = await openLoopStage(turns, { files, gate: null });
  const noted = join(stage.repo.beside, 'runs');
  const run = await stage.loop('--no-sandbox', '--flaky-retries', '0', '--check', `echo run >> ${noted}; node --test`);
  expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: turns.length } });
  expect(receiptOf(run).proof).toMatchObject({ level: 'living' });
  return readFileSync(noted, 'utf8').trim().split('\n').length;
}

/** The baseline of a loop, and the search for the living set. */
const AT_THE_START = 2;

describe.concurrent('a gate', () => {
  it('runs twice more for a proven claim than for its iteration: in a clean copy, and with failures planted', async () => {
    expect(await gateRuns(finishes(MENDS))).toBe(AT_THE_START + 1 + 2);
  });

  it('runs once per ordinary iteration', async () => {
    const tried = tries('echo >> notes.txt');
    expect(await gateRuns(tried, tried, tried, finishes(MENDS))).toBe(AT_THE_START + 4 + 2);
  });

  it('runs once more, with the deciders of the start, if the agent changed any: on average of both cases 2.5 more', async () => {
    const adds = `echo "test('adds more', () => assert.equal(add(2, 2), 4));" >> test/add.test.js`;
    expect(await gateRuns(finishes(MENDS, adds))).toBe(AT_THE_START + 1 + 3);
  });
});
