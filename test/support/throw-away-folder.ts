import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ThrowAwayFolder extends AsyncDisposable {
  readonly path: string;
}

/** A new empty folder that is gone with the block that opened it. Its path has no symlinks, as git and agents report it. */
export async function openThrowAwayFolder(parent = tmpdir()): Promise<ThrowAwayFolder> {
  const path = await realpath(await mkdtemp(join(parent, 'ralph-test-')));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}
