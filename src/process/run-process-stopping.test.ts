import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning, runningWithMarker } from '../../test/support/live-processes.ts';
import { agentCommand } from '../../test/support/process-request.ts';
import { type CollectedRun, runCollected } from '../../test/support/run-collected.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { ProcessRequest } from './process-request.ts';

let folder: ThrowAwayFolder;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Runs a process and cancels it at its first line. */
async function cancelled(rest: Partial<ProcessRequest>): Promise<CollectedRun> {
  const controller = new AbortController();
  return await runCollected(folder.path, { ...rest, onLine: () => controller.abort(new Error('enough')) }, controller.signal);
}

function expectNothingLeft({ request, spawned }: CollectedRun): void {
  expect(runningWithMarker(request.marker)).toEqual([]);
  for (const { pid } of spawned) expect(isRunning(pid)).toBe(false);
}

describe.concurrent('a process that runs forever', () => {
  it('is cancelled with the reason of the signal', async () => {
    const run = await cancelled(agentCommand('runs-forever'));
    expect(run.ending).toEqual({ kind: 'stopped', cause: 'cancelled', detail: 'enough', code: null, signal: 'SIGINT' });
    expectNothingLeft(run);
  });

  it('is stopped at its deadline, although it prints', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('prints-now-and-then', 100_000, 20), deadlineMs: 1_500 });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'deadline', detail: 'still running after 1.5 s' });
    expectNothingLeft(run);
  });

  it('is stopped when it prints nothing for too long', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('stays-silent'), idleMs: 500 });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'idle', detail: 'no output for 0.5 s' });
    expect(run.tookMs).toBeGreaterThan(490);
    expectNothingLeft(run);
  });

  it('gets SIGTERM first with stopWith: terminate', async () => {
    const run = await cancelled({ ...agentCommand('runs-forever'), stopWith: 'terminate' });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'cancelled', signal: 'SIGTERM' });
    expectNothingLeft(run);
  });
});

describe.concurrent('a process that is being stopped', () => {
  it('can clean up on SIGINT, and its last output is emitted', async () => {
    const run = await cancelled(agentCommand('cleans-up-on-sigint'));
    expect(run.ending).toEqual({ kind: 'stopped', cause: 'cancelled', detail: 'enough', code: 0, signal: null });
    expect(run.lines).toEqual(['ready', 'interrupted, last word']);
  });

  it('gets SIGINT, SIGTERM and SIGKILL in turn when it ignores the first two', async () => {
    const run = await cancelled(agentCommand('ignores-signals'));
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'cancelled', signal: 'SIGKILL' });
    expect(run.lines).toEqual(['ready', 'ignored SIGINT', 'ignored SIGTERM']);
    expect(run.tookMs).toBeGreaterThan(5_900);
    expectNothingLeft(run);
  });

  it('gets SIGTERM and SIGKILL with stopWith: terminate', async () => {
    const run = await cancelled({ ...agentCommand('ignores-signals'), stopWith: 'terminate' });
    expect(run.ending).toMatchObject({ kind: 'stopped', signal: 'SIGKILL' });
    expect(run.lines).toEqual(['ready', 'ignored SIGTERM']);
    expectNothingLeft(run);
  });

  it('is recorded with the first cause, even if others follow', async () => {
    const run = await cancelled({ ...agentCommand('ignores-signals'), idleMs: 3_000, deadlineMs: 4_000 });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'cancelled', detail: 'enough', signal: 'SIGKILL' });
  });

  it('ends together with its child in the same group', async () => {
    const run = await cancelled(agentCommand('forks-a-child'));
    expect(isRunning(Number(run.lines[0]))).toBe(false);
    expectNothingLeft(run);
  });

  it('ends together with its tools in other groups and sessions', async () => {
    const run = await cancelled(agentCommand('runs-tools-in-own-groups'));
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'cancelled', code: 1 });
    for (const pid of run.lines[0]?.split(' ') ?? []) expect(isRunning(Number(pid))).toBe(false);
    expectNothingLeft(run);
  });
});

describe.concurrent('a process that is stopped and dies at once', () => {
  it('ends together with a child that had removed the marker', async () => {
    const run = await cancelled(agentCommand('hides-a-child-from-the-marker'));
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'cancelled', signal: 'SIGINT' });
    expect(isRunning(Number(run.lines[0]))).toBe(false);
  });
});

describe.concurrent('idle time', () => {
  it('restarts with every output, also on stderr', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('prints-now-and-then', 12, 300), idleMs: 3_000 });
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(run.tookMs).toBeGreaterThan(3_500);
  });
});

describe.concurrent('a process that has printed its final message and does not exit', () => {
  const settledAfterResult = () => {
    const heard: string[] = [];
    return { onLine: (line: string) => void heard.push(line), settled: () => heard.at(-1) === 'result' };
  };

  it('is stopped as lingering after the allowed silence', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('says-words-and-stays', 'result'), lingerMs: 700, ...settledAfterResult() });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'lingered', detail: expect.stringContaining('0.7 s') });
    expectNothingLeft(run);
  });

  it('is not stopped while it continues with a new turn', async () => {
    const words = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'init' : 'result'));
    const run = await runCollected(folder.path, { ...agentCommand('says-words-and-stays', ...words), lingerMs: 3_000, ...settledAfterResult() });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'lingered' });
    expect(run.lines).toEqual(words);
  });

  it('is not stopped when it has started a new turn and prints nothing', async () => {
    const words = ['result', 'init'];
    const run = await runCollected(folder.path, {
      ...agentCommand('says-words-and-stays', ...words),
      lingerMs: 3_000,
      deadlineMs: 7_000,
      ...settledAfterResult(),
    });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'deadline' });
    expect(run.lines).toEqual(words);
  });
});
