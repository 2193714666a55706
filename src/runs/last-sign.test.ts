import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { lastSignMs } from './resume-run.ts';

async function spool(runFolder: string, place: string, seconds: number): Promise<void> {
  const folder = join(runFolder, 'iterations', place);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'agent.jsonl'), '');
  await utimes(join(folder, 'agent.jsonl'), seconds, seconds);
}

describe('the last sign of life of a run', () => {
  it('is the last output of the newest attempt, also after the tenth and the thousandth iteration', async () => {
    await using folder = await openThrowAwayFolder();
    await spool(folder.path, '009/1-work', 9_000);
    await spool(folder.path, '010/1-work', 500);
    await spool(folder.path, '010/2-work', 1_000);
    expect(await lastSignMs(folder.path)).toBe(1_000_000);
    await spool(folder.path, '1000/1-work', 2_000);
    expect(await lastSignMs(folder.path)).toBe(2_000_000);
  });

  it('is null when no agent was ever run', async () => {
    await using folder = await openThrowAwayFolder();
    expect(await lastSignMs(folder.path)).toBeNull();
    await mkdir(join(folder.path, 'iterations', '001', '1-work'), { recursive: true });
    expect(await lastSignMs(folder.path)).toBeNull();
  });
});
