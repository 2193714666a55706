import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faraway, gone, makeRun, ofTask, stopped, us } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { StopReason } from '../../journal/words/outcome.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { readRunSummary } from '../../store/runs/run-summary.ts';
import { runStateOf } from './run-state.ts';

type Made = Parameters<typeof makeRun>[2];

async function standing(made: Made): Promise<string> {
  await using folder = await openThrowAwayFolder();
  await makeRun(folder.path, 'run', made);
  const sight = await readRunSummary(folder.path, 'run');
  if (sight === null) throw new Error('There is no run.');
  const { state, isRecorded } = runStateOf(sight);
  return isRecorded ? state : `${state}, not recorded`;
}

describe('the status of a run', () => {
  it.each([
    ['completed', 'done'],
    ['all_checks_passed', 'done'],
    ['waiting', 'waiting'],
    ['blocked', 'waiting'],
    ['interrupted', 'interrupted'],
    ['max_restarts', 'failed'],
    ['fatal', 'failed'],
  ] satisfies [StopReason, string][])('follows its outcome: %s is %s', async (reason, state) => {
    expect(await standing({ after: [stopped(reason)], writer: gone() })).toBe(state);
  });

  it.each([
    ['running', us()],
    ['dead', gone()],
    ['unknown', faraway],
  ])('follows its process while it has no outcome: %s', async (state, writer) => {
    expect(await standing({ writer })).toBe(state);
  });
});

describe('a supervised run whose supervisor died', () => {
  async function afterDeath(put: (task: string) => Promise<void>, over: Partial<RunSettings> = {}, recipe: 'supervise' | 'job' = 'supervise'): Promise<string> {
    await using folder = await openThrowAwayFolder();
    const task = join(folder.path, 'task');
    await mkdir(task);
    await put(task);
    return await standing({ writer: gone(), settings: { ...ofTask({ folder: task }, recipe), ...over } });
  }
  const done = (task: string) => writeFile(join(task, 'DONE'), '');

  it('is done when DONE exists, though nobody has recorded it', async () => {
    expect(await afterDeath(done)).toBe('done, not recorded');
  });

  it('is dead without DONE, or when something else has that name', async () => {
    expect(await afterDeath(async () => undefined)).toBe('dead');
    expect(await afterDeath(async (task) => void (await mkdir(join(task, 'DONE'))))).toBe('dead');
    expect(await afterDeath((task) => symlink('/etc/hostname', join(task, 'DONE')))).toBe('dead');
  });

  it('is dead when no check has confirmed its DONE, and so is a job', async () => {
    const gates: RunSettings['gates'] = [{ command: 'true', failAction: 'APPEND', hint: null, timeoutMs: 0 }];
    expect(await afterDeath(done, { gates })).toBe('dead');
    expect(await afterDeath(done, {}, 'job')).toBe('dead');
  });
});
