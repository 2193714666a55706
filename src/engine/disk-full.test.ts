import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { ProcessEnding } from '../process/process-request.ts';
import { stopIfDiskIsFull } from './disk-full.ts';

const cutShort: ProcessEnding = { kind: 'stopped', cause: 'output', detail: 'cannot write', code: null, signal: 'SIGTERM' };
const withoutPrompt: ProcessEnding = { kind: 'never-started', reason: 'other', message: 'cannot write the prompt' };

/** Refuses every new file, even from root. */
const REFUSING_FOLDER = '/sys';

describe('a failed process', () => {
  it.each([cutShort, withoutPrompt])('stops the run when its output folder is full', async (ending) => {
    const refusal = { code: 'disk-refuses', exitCode: 4, message: expect.stringMatching(/^cannot write output to \/sys \(E/) };
    await expect(stopIfDiskIsFull(ending, REFUSING_FOLDER)).rejects.toMatchObject(refusal);
  });

  it.each([cutShort, withoutPrompt])('does not stop the run when there is free disk space, and the test write leaves no file', async (ending) => {
    await using folder = await openThrowAwayFolder();
    await stopIfDiskIsFull(ending, folder.path);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.each([cutShort, withoutPrompt])('does not stop the run when its folder is missing or is not a folder', async (ending) => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'file'), '');
    await stopIfDiskIsFull(ending, join(folder.path, 'file'));
    await stopIfDiskIsFull(ending, join(folder.path, 'gone'));
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it.each<ProcessEnding>([
    { kind: 'exited', code: 1 },
    { kind: 'signalled', signal: 'SIGKILL' },
    { ...cutShort, cause: 'idle' },
    { ...withoutPrompt, reason: 'not-found' },
  ])('does not test the disk when it has a reason of its own: $kind', async (ending) => {
    await stopIfDiskIsFull(ending, REFUSING_FOLDER);
  });
});
