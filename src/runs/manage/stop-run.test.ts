import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isRunning } from '../../../test/support/live-processes.ts';
import { faraway, forgeLock, gone, makeRun, stopped } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import { identityOf } from '../../process/identity.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { readRunSummary } from '../../store/runs/run-summary.ts';
import { runWithStatus } from './find-run.ts';
import { type StoppedRun, stopRun } from './stop-run.ts';

const RUN = `stop-test-${process.pid}`;
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A shell that says when it is ready and has a process group of its own. */
async function process_(script: string, marker = ''): Promise<ProcessIdentity> {
  const child = spawn('sh', ['-c', `${script}; echo ready; while :; do sleep 0.1; done`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], RALPH_MARKER: marker },
  });
  started.push(child);
  await once(child.stdout, 'data');
  const identity = identityOf(child.pid ?? 0);
  if (identity === null) throw new Error('It has ended at once.');
  return identity;
}

async function stop(runsFolder: string, over: { readonly force?: boolean; readonly timeoutMs?: number } = {}): Promise<StoppedRun> {
  const sight = await readRunSummary(runsFolder, RUN);
  if (sight === null) throw new Error('There is no run.');
  return await stopRun(runWithStatus(sight), { force: false, timeoutMs: 20_000, ...over });
}

describe('a run that is told to stop', () => {
  it('is stopped once it has recorded its outcome', async () => {
    await using folder = await openThrowAwayFolder();
    const journal = join(await makeRun(folder.path, RUN), 'journal.jsonl');
    const line = JSON.stringify({ v: 1, seq: 2, at: 2_000, ...stopped('interrupted', 143) });
    const loop = await process_(`trap 'echo "$LINE" >> "${journal}"; exit' TERM; LINE='${line}'`);
    await forgeLock(folder.path, RUN, loop);

    expect(await stop(folder.path)).toEqual({ answer: 'stopped', left: [] });
    expect(await stop(folder.path)).toEqual({ answer: 'over', left: [] });
  });

  it('is stopped when the signal killed it, with every process that carries its marker', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, RUN);
    await forgeLock(folder.path, RUN, await process_(':'));
    const agent = await process_(':', `${RUN}~1/1.1`);

    expect(await stop(folder.path)).toEqual({ answer: 'stopped', left: [] });
    await until('the agent is gone', () => !isRunning(agent.pid));
  });

  it('keeps running if it ignores the signal, unless it is forced', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, RUN);
    const loop = await process_("trap '' TERM");
    await forgeLock(folder.path, RUN, loop);
    const agent = await process_("trap '' TERM", `${RUN}~2/1.1`);
    const asked = await stop(folder.path, { timeoutMs: 300 });
    const livedOn = isRunning(loop.pid) && isRunning(agent.pid);
    const forced = await stop(folder.path, { timeoutMs: 300, force: true });

    expect(asked).toEqual({ answer: 'running', left: [] });
    expect(livedOn).toBe(true);
    expect(forced).toEqual({ answer: 'killed', left: [] });
    await until('both are gone', () => !isRunning(loop.pid) && !isRunning(agent.pid));
  });
});

describe('a foreign process', () => {
  it.each([
    ['was given the number of a dead loop', (stranger: ProcessIdentity) => ({ ...stranger, startTime: '1' })],
    ['has the number of a loop of an earlier boot', (stranger: ProcessIdentity) => ({ ...stranger, bootId: 'earlier' })],
  ])('that %s is left alone, while the leftovers of the run are ended', async (_name, forged) => {
    await using folder = await openThrowAwayFolder();
    const stranger = await process_(':', 'somebody else~1/1.1');
    const namesake = await process_(':', `${RUN}-2~1/1.1`);
    const agent = await process_(':', `${RUN}~1/1.1`);
    await makeRun(folder.path, RUN, { writer: forged(stranger) });
    await forgeLock(folder.path, RUN, forged(stranger));

    expect(await stop(folder.path, { force: true })).toEqual({ answer: 'swept', left: [] });
    await until('the agent is gone', () => !isRunning(agent.pid));
    expect([stranger, namesake].map(({ pid }) => isRunning(pid))).toEqual([true, true]);
  });
});

describe('a run that cannot be stopped from here', () => {
  it('is reported as such: on another machine', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, RUN, { writer: gone() });
    await forgeLock(folder.path, RUN, faraway);
    await expect(stop(folder.path)).rejects.toMatchObject({ code: 'run-out-of-reach', exitCode: 4 });
  });
});
