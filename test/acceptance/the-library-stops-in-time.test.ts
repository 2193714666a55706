import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentFactory, type LoopConfig, type LoopResult, runLoop } from '../../src/index.ts';
import { playing } from '../support/played-agent.ts';
import { openRepo, type Repo } from '../support/repo.ts';

let repo: Repo;
beforeEach(async () => {
  repo = await openRepo();
});
afterEach(() => repo[Symbol.asyncDispose]());

const CHECK = 'grep -qs done work.txt || { echo "work.txt is not done"; exit 1; }';

const loop = (agentFactory: AgentFactory, more: LoopConfig = {}): Promise<LoopResult> =>
  runLoop({ task: 'Do the work.', checks: [CHECK], workspaceRoot: repo.path, failurePause: 0, agentFactory, ...more });

const work = () => writeFile(join(repo.path, 'work.txt'), 'done\n');

const works: AgentFactory = async () => {
  await work();
  return { text: 'All done.\nCOMPLETE', cost: 0.02, steps: 3 };
};
const idles: AgentFactory = async () => ({ text: 'I am still thinking.', cost: 0.05 });

describe('a loop that does not succeed', () => {
  it('ends after its last iteration', async () => {
    const agent = playing(idles);
    expect(await loop(agent, { maxIterations: 3 })).toMatchObject({ success: false, stopReason: 'max_iterations', totalIterations: 3 });
    expect(agent.calls).toHaveLength(3);
  });

  it('ends when its budget is spent', async () => {
    expect(await loop(idles, { maxCost: 0.1 })).toMatchObject({ success: false, stopReason: 'budget_exhausted', totalIterations: 2, totalCost: 0.1 });
  });

  it('computes the cost from tokens if prices are given', async () => {
    const tokens = { input: 100_000, output: 10_000 };
    const prices = { 'm-*': { input: 1, output: 10 } };
    const result = await loop(async () => ({ text: 'hm', tokens }), { model: 'm-1', prices, maxCost: 0.3 });
    expect(result).toMatchObject({ stopReason: 'budget_exhausted', totalIterations: 2, costKnown: true });
    expect(result.totalCost).toBeCloseTo(0.4);
  });

  it.each([Number.NaN, -5])('treats a cost of %s as unknown, and does not end for it', async (cost) => {
    expect(await loop(async () => ({ text: 'hm', cost }), { maxCost: 1 })).toMatchObject({
      stopReason: 'stuck',
      totalIterations: 6,
      totalCost: 0,
      costKnown: false,
    });
  });

  it('ends at its time limit, also in the middle of an attempt', async () => {
    const slow: AgentFactory = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('told to stop')));
      });
    const result = await loop(slow, { maxTime: 1 });
    expect(result).toMatchObject({ success: false, stopReason: 'timeout', totalIterations: 1 });
    expect(result.iterations[0]).toMatchObject({ error: expect.stringContaining('still running after') as string, checkResults: [{ passed: false }] });
  });

  it('continues after an exception, with the error in the result and in the next prompt', async () => {
    const agent = playing(() => Promise.reject(new Error('LLM API down')), works);
    const { iterations, success } = await loop(agent);
    expect(success).toBe(true);
    expect(iterations).toMatchObject([{ error: 'LLM API down', costKnown: false }, { error: null }]);
    expect(agent.calls[1]?.prompt).toMatch(/## Execution Error\s+.*LLM API down/s);
  });

  it('runs its checks after an exception too', async () => {
    const breaking: AgentFactory = async () => {
      await work();
      throw new Error('after the work');
    };
    expect((await loop(breaking, { maxIterations: 1 })).iterations).toMatchObject([{ error: 'after the work', allChecksPassed: true }]);
  });

  it('ends at once when its signal is aborted', async () => {
    const stopping = new AbortController();
    const agent = playing(({ signal }) => {
      stopping.abort();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    expect(await loop(agent, { signal: stopping.signal })).toMatchObject({ success: false, stopReason: 'interrupted' });
    expect(agent.calls).toHaveLength(1);
  });
});
