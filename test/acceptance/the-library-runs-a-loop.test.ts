import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentFactory, type LoopConfig, type LoopResult, runLoop } from '../../src/index.ts';
import { playing, refusal } from '../support/played-agent.ts';
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

describe('a loop with an agent function', () => {
  it('ends when the agent claims completion and the checks are green', async () => {
    const result = await loop(works);
    expect(result).toEqual({
      iterations: [
        {
          iteration: 1,
          stepsTaken: 3,
          cost: 0.02,
          costKnown: true,
          duration: expect.any(Number) as number,
          checkResults: [{ name: CHECK, passed: true, output: '', flaky: false, duration: expect.any(Number) as number }],
          allChecksPassed: true,
          completionTagFound: true,
          error: null,
        },
      ],
      totalIterations: 1,
      totalCost: 0.02,
      costKnown: true,
      totalDuration: expect.any(Number) as number,
      success: true,
      stopReason: 'all_checks_passed',
      message: 'All checks passed',
      worktreePath: '',
      runId: expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{6}$/) as string,
      runFolder: expect.stringContaining(join(repo.path, '.git', 'ralph', 'runs')) as string,
      lastCommit: null,
      commitProblem: null,
    });
    expect(result.totalDuration).toBeLessThan(60);
  });

  it('creates a fresh agent for every iteration, and tells it which checks were red', async () => {
    const agent = playing(idles, works);
    const result = await loop(agent, { agent: 'mine', model: 'm-1' });
    expect(result).toMatchObject({ success: true, totalIterations: 2, totalCost: 0.07 });
    expect(result.iterations.map(({ allChecksPassed, completionTagFound }) => [allChecksPassed, completionTagFound])).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(result.iterations[0]?.checkResults).toMatchObject([{ passed: false, output: 'work.txt is not done' }]);
    expect(agent.calls.map(({ agent: name, model, workspaceRoot, iteration }) => ({ name, model, workspaceRoot, iteration }))).toEqual([
      { name: 'mine', model: 'm-1', workspaceRoot: repo.path, iteration: 1 },
      { name: 'mine', model: 'm-1', workspaceRoot: repo.path, iteration: 2 },
    ]);
    expect(agent.calls[0]?.prompt).toContain('Do the work.');
    expect(agent.calls[1]?.prompt).toContain('work.txt is not done');
  });

  it('does not end with green checks but no tag', async () => {
    await work();
    const { iterations, success } = await loop(playing(idles, works));
    expect(success).toBe(true);
    expect(iterations.map(({ allChecksPassed, completionTagFound }) => [allChecksPassed, completionTagFound])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it('does not end with the tag while a check is red', async () => {
    const liar = playing(async () => 'COMPLETE', works);
    expect((await loop(liar)).iterations).toMatchObject([{ completionTagFound: true, allChecksPassed: false }, { allChecksPassed: true }]);
  });

  it.each(['INCOMPLETE', 'This is not COMPLETE yet.'])('does not take %j for the tag', async (text) => {
    await work();
    expect(await loop(async () => text, { maxIterations: 1 })).toMatchObject({ success: false, stopReason: 'max_iterations' });
  });

  it('ends without a tag if requireTag is never', async () => {
    const silent: AgentFactory = async () => void (await work());
    expect(await loop(silent, { requireTag: 'never' })).toMatchObject({ success: true, totalIterations: 1, totalCost: 0, costKnown: false });
  });

  it('accepts another tag', async () => {
    await work();
    expect(
      await loop(
        playing(async () => 'FINISHED'),
        { completionTag: 'FINISHED' },
      ),
    ).toMatchObject({ success: true, totalIterations: 1 });
  });

  it('reads a specification instead of the task', async () => {
    await repo.write('spec.md', 'Build the moon.\n');
    const agent = playing(works);
    await loop(agent, { specFile: 'spec.md' });
    expect(agent.calls[0]?.prompt).toContain('Build the moon.');
    expect(agent.calls[0]?.prompt).not.toContain('Do the work.');
  });

  it('works without a repository', async () => {
    const result = await loop(async () => void (await writeFile(join(repo.beside, 'work.txt'), 'done\n')), { workspaceRoot: repo.beside, requireTag: 'never' });
    expect(result).toMatchObject({ success: true, stopReason: 'all_checks_passed' });
  });

  it('is unproven without checks', async () => {
    expect(await loop(async () => 'COMPLETE', { checks: [], noChecks: true })).toMatchObject({
      success: true,
      stopReason: 'completed',
      iterations: [{ allChecksPassed: false, checkResults: [] }],
    });
  });
});

describe('a loop with a command', () => {
  it('needs no agent function', async () => {
    const agent = `sh -c 'echo done > work.txt; echo COMPLETE'`;
    expect(await runLoop({ task: 'Do the work.', checks: [CHECK], workspaceRoot: repo.path, agent })).toMatchObject({ success: true, totalIterations: 1 });
  });
});

describe('a run that was stopped', () => {
  it('can be resumed, and its result covers all its processes', async () => {
    const stopping = new AbortController();
    const agent = playing(idles, () => {
      stopping.abort();
      return 'nothing';
    });
    const first = await loop(agent, { signal: stopping.signal });
    expect(first.stopReason).toBe('interrupted');
    const again = await runLoop({ resume: first.runId, workspaceRoot: repo.path, agentFactory: works });
    expect(again).toMatchObject({ success: true, runId: first.runId });
    expect(again.iterations[0]).toEqual(first.iterations[0]);
    expect(again.totalIterations).toBeGreaterThan(first.totalIterations);
  });

  it('cannot be resumed without its agent function', async () => {
    const { runId } = await loop(idles, { maxIterations: 1 });
    const { message, exitCode } = await refusal(runLoop({ resume: runId, workspaceRoot: repo.path }));
    expect(message).toBe('the agent of this run is a function of the program that started it');
    expect(exitCode).toBe(2);
  });
});

describe('every prompt of a run', () => {
  it('is in its folder', async () => {
    const { runFolder } = await loop(works);
    const attempt = join(runFolder, 'iterations', '001', '1-work');
    expect(await readFile(join(attempt, 'prompt.md'), 'utf8')).toContain('Do the work.');
    expect(await readFile(join(attempt, 'agent.jsonl'), 'utf8')).toContain('COMPLETE');
  });
});
