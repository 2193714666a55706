import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRootStage, type RootStage } from '../../support/root-stage.ts';
import { startStandingChild } from '../../support/standing-child.ts';

let stage: RootStage;
beforeEach(async () => {
  stage = await openRootStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const idles = () => undefined;
const fails = () => Promise.reject(new Error('it broke'));

const starts = async () => (await stage.busLines()).filter((line) => line.startsWith('starting root agent'));

describe('a root agent that is a function', () => {
  it('is run until DONE exists: twice, if the second start writes it', async () => {
    const result = await stage.supervise((_signal, attempt) => (attempt === 1 ? stage.writeDone() : undefined));
    expect(result).toEqual({
      done: true,
      unproven: true,
      outcome: expect.objectContaining({
        stop_reason: 'completed',
        message: 'task completed (DONE marker present, no active children)',
        exit_code: 0,
      }) as object,
      restarts: 2,
      waiting: null,
      children: { started: [], outlived: [], atWork: [] },
      runId: expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{6}$/) as string,
      runFolder: join(stage.runDir, 'runs', result.runId),
    });
    expect(stage.attempts).toEqual([0, 1]);
    expect(await starts()).toEqual(['starting root agent (restart #0)', 'starting root agent (restart #1)']);
    expect(await readFile(join(dirname(stage.runDir), 'PROJECT-MESSAGE-BUS.md'), 'utf8')).toContain('task_completion_propagation');
  });

  it('is never run if DONE already exists', async () => {
    await stage.writeDone();
    expect(await stage.supervise(idles)).toMatchObject({ done: true, restarts: 0 });
    expect(stage.attempts).toEqual([]);
  });

  it('is never run with maxRestarts 0, and is not done then', async () => {
    const result = await stage.supervise(idles, { maxRestarts: 0 });
    expect(result).toMatchObject({ done: false, restarts: 0, outcome: { stop_reason: 'max_restarts', message: 'max restarts (0) exceeded' } });
    expect(stage.attempts).toEqual([]);
  });

  it.each([
    ['fails', fails],
    ['ends well', idles],
  ])('that always %s gives a result after too many restarts', async (_how, runRoot) => {
    const result = await stage.supervise(runRoot, { maxRestarts: 1 });
    expect(result).toMatchObject({ done: false, restarts: 1, outcome: { stop_reason: 'max_restarts', exit_code: 1 } });
    expect(await stage.busLines()).toContain('task failed: max restarts (1) exceeded');
  });

  it('may fail a few times, and the bus gets the reason', async () => {
    const result = await stage.supervise((_signal, attempt) => (attempt < 4 ? fails() : stage.writeDone()));
    expect(result).toMatchObject({ done: true, restarts: 5 });
    expect(stage.attempts).toEqual([0, 1, 2, 3, 4]);
    expect((await stage.busLines()).filter((line) => line.startsWith('root agent failed on restart #'))).toHaveLength(4);
  });

  it('is not done by a DONE that is a directory', async () => {
    await mkdir(join(stage.runDir, 'DONE'), { recursive: true });
    expect(await stage.supervise(idles)).toMatchObject({ done: false, outcome: { stop_reason: 'fatal', message: 'DONE is a directory' } });
    expect(stage.attempts).toEqual([]);
  });

  it('is restarted after the configured pause', async () => {
    const startedAtMs: number[] = [];
    const clocked = async () => {
      startedAtMs.push(performance.now());
      if (startedAtMs.length === 2) await stage.writeDone();
    };
    await stage.supervise(clocked, { restartDelay: '400ms' });
    expect((startedAtMs[1] ?? 0) - (startedAtMs[0] ?? 0)).toBeGreaterThanOrEqual(395);
  });

  it('has its DONE refused while a check is red', async () => {
    const works = async (_signal: AbortSignal, attempt: number) => {
      if (attempt === 1) await writeFile(join(stage.path, 'work.txt'), 'done');
      await stage.writeDone();
    };
    const result = await stage.supervise(works, { checks: ['grep -qs done work.txt'] });
    expect(result).toMatchObject({ done: true, unproven: false, restarts: 2 });
    expect(existsSync(join(stage.runDir, 'DONE.refused-1'))).toBe(true);
  });

  it('gives up when failures come too fast', async () => {
    const result = await stage.supervise(fails, { restartIntensity: { failures: 2, within: '10m' } });
    expect(result).toMatchObject({ done: false, restarts: 3, outcome: { stop_reason: 'stuck' } });
  });

  it('waits for the tasks it depends on', async () => {
    await mkdir(join(dirname(stage.runDir), 'before'), { recursive: true });
    const running = stage.supervise(() => stage.writeDone(), { dependsOn: ['before'] });
    await stage.told('task.seen');
    expect(stage.attempts).toEqual([]);
    await writeFile(join(dirname(stage.runDir), 'before', 'DONE'), '');
    expect(await running).toMatchObject({ done: true, restarts: 1 });
  });
});

describe('children of a task that is done', () => {
  it('are awaited, and no agent runs meanwhile', async () => {
    await stage.writeDone();
    using child = await startStandingChild(stage.runDir, 'an-earlier-run');
    const running = stage.supervise(idles);
    await stage.told('children.awaited');
    child.end();
    expect(await running).toMatchObject({ done: true, restarts: 0, outcome: { message: 'task completed (all children finished)' } });
    expect(await stage.busLines()).toContain(`waiting for 1 children to complete: [${child.run}]`);
    expect(stage.attempts).toEqual([]);
  });

  it('that outlive the wait are reported and not stopped', async () => {
    await stage.writeDone();
    using child = await startStandingChild(stage.runDir, 'an-earlier-run');
    const result = await stage.supervise(idles, { waitTimeout: 50 });
    expect(result).toMatchObject({ done: true, children: { started: [], outlived: [child.run], atWork: [child.run] } });
    expect(child.isRunning()).toBe(true);
  });

  it('that outlive the wait are stopped with killChildren', async () => {
    await stage.writeDone();
    using child = await startStandingChild(stage.runDir, 'an-earlier-run');
    const result = await stage.supervise(idles, { waitTimeout: 50, killChildren: true });
    expect(result).toMatchObject({ done: true, children: { outlived: [child.run], atWork: [] } });
    expect(child.isRunning()).toBe(false);
  });
});
