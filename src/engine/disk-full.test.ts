import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { ProcessEnding } from '../process/process-request.ts';
import { stopIfTheDiskIsToBlame } from './disk-full.ts';

const cutShort: ProcessEnding = { kind: 'stopped', cause: 'output', detail: 'cannot write', code: null, signal: 'SIGTERM' };
const withoutPrompt: ProcessEnding = { kind: 'never-started', reason: 'other', message: 'cannot write the prompt' };

/** Takes no file from anybody, root included. */
const REFUSING_FOLDER = '/sys';

describe('a process that came to nothing', () => {
  it.each([cutShort, withoutPrompt])('stops the run when its folder takes nothing more', async (ending) => {
    const refusal = { code: 'disk-refuses', exitCode: 4, message: expect.stringMatching(/^output cannot be kept in \/sys \(E/) };
    await expect(stopIfTheDiskIsToBlame(ending, REFUSING_FOLDER)).rejects.toMatchObject(refusal);
  });

  it.each([cutShort, withoutPrompt])('stays what it was when there is room, and leaves no trace of the question', async (ending) => {
    await using folder = await openThrowAwayFolder();
    await stopIfTheDiskIsToBlame(ending, folder.path);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.each([cutShort, withoutPrompt])('stays what it was when its folder is gone, or something else lies there', async (ending) => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'file'), '');
    await stopIfTheDiskIsToBlame(ending, join(folder.path, 'file'));
    await stopIfTheDiskIsToBlame(ending, join(folder.path, 'gone'));
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it.each<ProcessEnding>([
    { kind: 'exited', code: 1 },
    { kind: 'signalled', signal: 'SIGKILL' },
    { ...cutShort, cause: 'idle' },
    { ...withoutPrompt, reason: 'not-found' },
  ])('for a reason of its own does not even ask: $kind', async (ending) => {
    await stopIfTheDiskIsToBlame(ending, REFUSING_FOLDER);
  });
});
