import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RootRunner } from '../../../src/index.ts';
import { runningWithMarker } from '../../support/live-processes.ts';
import { openRootStage, type RootStage } from '../../support/root-stage.ts';
import { until } from '../../support/until.ts';

let stage: RootStage;
beforeEach(async () => {
  stage = await openRootStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const run = promisify(execFile);

/** Like a typical caller: a script that is killed by the signal. */
const script =
  (text: string): RootRunner =>
  (signal, _attempt, { cwd, env }) =>
    run('sh', ['-c', text], { cwd, env: { ...env }, signal });

describe('a root agent that is a process of the caller', () => {
  it('knows its task, its run and its bus', async () => {
    const result = await stage.supervise(
      script('echo "$RALPH_PROJECT_ID $RALPH_TASK_ID $RALPH_RUN_ID" > seen; [ -e "$RALPH_MESSAGE_BUS" ] && : > "$TASK_FOLDER/DONE"'),
    );
    expect(result).toMatchObject({ done: true, restarts: 1 });
    const { stdout } = await run('cat', [join(stage.path, 'seen')]);
    expect(stdout).toBe(`demo task-001 ${result.runId}\n`);
  });

  it('is restarted when it fails, but not when it exits with 42', async () => {
    const result = await stage.supervise(script('[ -e once ] && exit 42; : > once; exit 7'));
    expect(result).toMatchObject({ restarts: 2, waiting: 'the agent exited with code 42' });
    expect(await stage.busLines()).toContain('run stopped with code 7: agent exited with code 7');
  });

  it('leaves nothing running, even hidden processes', async () => {
    const result = await stage.supervise(script('setsid -f sleep 3600 >/dev/null 2>&1; : > "$TASK_FOLDER/DONE"'));
    expect(result).toMatchObject({ done: true });
    expect(runningWithMarker(`${result.runId}~1`)).toEqual([]);
  });

  it('is stopped when it goes on running after DONE', async () => {
    const result = await stage.supervise(script(': > "$TASK_FOLDER/DONE"; exec sleep 3600'), { finishOnDone: 100 });
    expect(result).toMatchObject({ done: true, restarts: 1 });
  });

  it('is stopped at its timeout and restarted', async () => {
    const result = await stage.supervise(script('[ -e once ] && : > "$TASK_FOLDER/DONE" && exit; : > once; exec sleep 3600'), { runTimeout: '1s' });
    expect(result).toMatchObject({ done: true, restarts: 2 });
  });

  it('gets a prompt with its task and the result of the previous start', async () => {
    const prompts: string[] = [];
    const reads: RootRunner = async (_signal, attempt, { prompt }) => {
      prompts.push(prompt);
      if (attempt === 0) throw new Error('no such model');
      await stage.writeDone();
    };
    await stage.supervise(reads, { prompt: 'Write the docs.' });
    expect(prompts[0]).toContain('Write the docs.');
    expect(prompts[0]).not.toContain('no such model');
    expect(prompts[1]).toMatch(/Continue working on the following:\s+Write the docs\./);
    expect(prompts[1]).toContain('no such model');
  });

  it('can miss a file without counting as a missing agent', async () => {
    const reads: RootRunner = async (_signal, attempt) => {
      if (attempt === 1) await stage.writeDone();
      else await run('cat', [join(stage.path, 'nowhere')]).catch(() => writeFile(join(stage.path, 'no', 'folder'), ''));
    };
    expect(await stage.supervise(reads)).toMatchObject({ done: true, restarts: 2 });
  });

  it('has ended when the run was stopped', async () => {
    const stopping = new AbortController();
    const running = stage.supervise(script(': > busy; exec sleep 3600'), { signal: stopping.signal });
    await stage.told('effect.begun');
    const { run: runId } = stage.events.map(({ body }) => body).find((body) => body.type === 'run.started') ?? { run: '' };
    await until('it is at work', () => runningWithMarker(`${runId}~1`).length > 0);
    stopping.abort();
    await running;
    expect(runningWithMarker(`${runId}~1`)).toEqual([]);
  });
});
