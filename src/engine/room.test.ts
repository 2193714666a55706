import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { ProcessEnding } from '../kit/process/process-ending.ts';
import { stopIfTheDiskIsToBlame } from './room.ts';

const cutShort: ProcessEnding = { kind: 'stopped', cause: 'output', detail: 'cannot write', code: null, signal: 'SIGTERM' };
const withoutPrompt: ProcessEnding = { kind: 'never-started', reason: 'other', message: 'cannot write the prompt' };

/** What is written into such a folder finds no room, as on a full disk. */
async function openFullFolder() {
  const folder = await openThrowAwayFolder();
  await symlink('/dev/full', join(folder.path, '.room'));
  return folder;
}

describe('a process that came to nothing', () => {
  it.each([cutShort, withoutPrompt])('stops the run when the disk is full', async (ending) => {
    await using folder = await openFullFolder();
    const refusal = { code: 'disk-refuses', exitCode: 4, message: expect.stringMatching(/^output cannot be kept in .*ENOSPC/) };
    await expect(stopIfTheDiskIsToBlame(ending, folder.path)).rejects.toMatchObject(refusal);
  });

  it.each([cutShort, withoutPrompt])('stays what it was when there is room, and leaves no trace of the question', async (ending) => {
    await using folder = await openThrowAwayFolder();
    await stopIfTheDiskIsToBlame(ending, folder.path);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.each<ProcessEnding>([
    { kind: 'exited', code: 1 },
    { kind: 'signalled', signal: 'SIGKILL' },
    { ...cutShort, cause: 'idle' },
    { ...withoutPrompt, reason: 'not-found' },
  ])('for a reason of its own does not even ask: $kind', async (ending) => {
    await using folder = await openFullFolder();
    await stopIfTheDiskIsToBlame(ending, folder.path);
  });
});
