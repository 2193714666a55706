import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError, type RootRunner } from '../../../src/index.ts';
import { refusal } from '../../support/played-agent.ts';
import { openRootStage, type RootStage } from '../../support/root-stage.ts';
import { startStandingChild } from '../../support/standing-child.ts';

let stage: RootStage;
let stopping: AbortController;
beforeEach(async () => {
  stage = await openRootStage();
  stopping = new AbortController();
});
afterEach(() => stage[Symbol.asyncDispose]());

const idles: RootRunner = () => undefined;
const worksForHours: RootRunner = (signal) => sleep(3_600_000, null, { signal });
const INTERRUPTED = { done: false, outcome: { stop_reason: 'interrupted', signal: 'caller' } };

/** It reacts to the caller's signal; without that, the test would take hours. */
const supervise = (runRoot: RootRunner, more = {}) => stage.supervise(runRoot, { signal: stopping.signal, restartDelay: '2h', ...more });

describe('a signal that is aborted', () => {
  it('before the start prevents any agent from running', async () => {
    stopping.abort();
    expect(await supervise(idles)).toMatchObject({ ...INTERRUPTED, restarts: 0 });
    expect(stage.attempts).toEqual([]);
  });

  it('reaches the running agent, and that start does not count', async () => {
    const running = supervise(async (signal) => {
      stopping.abort();
      await worksForHours(signal, 0, { prompt: '', cwd: '', env: {} });
    });
    expect(await running).toMatchObject({ ...INTERRUPTED, restarts: 0 });
    expect(stage.attempts).toEqual([0]);
  });

  it('between two starts ends the pause', async () => {
    const running = supervise(idles);
    await stage.told('iteration.closed');
    stopping.abort();
    expect(await running).toMatchObject({ ...INTERRUPTED, restarts: 1 });
    expect(stage.attempts).toEqual([0]);
  });

  it('while the run waits for children stops them too', async () => {
    await stage.writeDone();
    using child = await startStandingChild(stage.runDir, 'an-earlier-run');
    const running = supervise(idles);
    await stage.told('children.awaited');
    stopping.abort();
    expect(await running).toMatchObject({ ...INTERRUPTED, children: { atWork: [] } });
    expect(child.isRunning()).toBe(false);
  });
});

describe('a run that was interrupted', () => {
  it('continues its count', async () => {
    const running = supervise(idles);
    await stage.told('iteration.closed');
    stopping.abort();
    const { runId } = await running;
    const resumed = await stage.supervise((_signal, attempt) => (attempt === 1 ? stage.writeDone() : undefined), { resume: runId });
    expect(resumed).toMatchObject({ done: true, restarts: 2, runId });
    expect(stage.attempts).toEqual([0, 1]);
  });

  it('repeats an interrupted start with the same number', async () => {
    const { runId } = await supervise((signal, ...life) => {
      stopping.abort();
      return worksForHours(signal, ...life);
    });
    expect(await stage.supervise(() => stage.writeDone(), { resume: runId })).toMatchObject({ done: true, restarts: 1 });
    expect(stage.attempts).toEqual([0, 0]);
  });

  it('is searched only in its own task', async () => {
    expect((await refusal(stage.supervise(idles, { resume: 'no-such-run' }))).code).toBe('run-unknown');
  });
});

describe('an error that a restart cannot fix', () => {
  it.each<[string, RootRunner]>([
    ['a missing agent', () => once(spawn(join(stage.path, 'no-such-agent')), 'exit')],
    ['an agent that may not be executed', () => once(spawn(join(stage.path, 'plain.txt')), 'exit')],
    ["the caller's own", () => Promise.reject(Object.assign(new Error('no key'), { fatal: true }))],
    ['a wrong configuration', () => Promise.reject(new OperatorError('usage', 'no key', { hint: '', exitCode: 2 }))],
  ])('ends the run at once: %s', async (_what, runRoot) => {
    await writeFile(join(stage.path, 'plain.txt'), '');
    const result = await supervise(runRoot);
    expect(result).toMatchObject({ done: false, outcome: { stop_reason: 'fatal', exit_code: 4 } });
    expect(stage.attempts).toEqual([0]);
    expect(result.outcome.message).toMatch(/no key|ENOENT|EACCES/);
  });
});

describe('an agent that asks not to be restarted', () => {
  it.each<[string, string, RootRunner]>([
    ['with a marker', 'the licence', () => writeFile(join(stage.runDir, 'WAIT_WITHOUT_RESTART'), 'the licence')],
    ['with an exit code', 'the agent exited with code 42', () => Promise.reject(Object.assign(new Error('later'), { exitCode: 42 }))],
  ])('%s is not restarted until a resume, and the result says why', async (_how, reason, runRoot) => {
    const waiting = await supervise(runRoot);
    expect(waiting).toMatchObject({ done: false, restarts: 1, waiting: reason, outcome: { stop_reason: 'waiting', exit_code: 0 } });
    expect(await stage.supervise(() => stage.writeDone(), { resume: waiting.runId })).toMatchObject({ done: true, waiting: null });
  });
});

describe('the process of the caller', () => {
  it('keeps its own signal handling', async () => {
    const before = process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
    let meanwhile = -1;
    await stage.supervise(async () => {
      meanwhile = process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
      await stage.writeDone();
    });
    expect(meanwhile).toBe(before);
  });

  it('may have a listener that throws', async () => {
    const warned = once(process, 'warning');
    const onEvent = () => {
      throw new Error('no room');
    };
    expect(await stage.supervise(() => stage.writeDone(), { onEvent })).toMatchObject({ done: true });
    expect(String((await warned)[0])).toContain('onEvent of superviseRoot threw');
  });

  it('cannot supervise one task twice at the same time', async () => {
    const first = supervise(worksForHours);
    await stage.told('effect.begun');
    expect((await refusal(stage.supervise(idles))).code).toBe('task-busy');
    stopping.abort();
    await first;
  });
});
