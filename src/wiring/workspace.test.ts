import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { openScope } from '../kit/async/scope.ts';
import { openWorkspace } from './workspace.ts';

describe('a workspace', () => {
  it('is held by one run at a time, which is named to the next', async () => {
    await using folder = await openThrowAwayFolder();
    await using scope = openScope();
    await (await openWorkspace(folder.path, scope)).hold('first');
    await expect((await openWorkspace(folder.path, scope)).hold('second')).rejects.toMatchObject({
      code: 'workspace-busy',
      exitCode: 4,
      message: expect.stringContaining('run first'),
    });
  });

  it('is free again when its scope is left', async () => {
    await using folder = await openThrowAwayFolder();
    await using first = openScope();
    await (await openWorkspace(folder.path, first)).hold('first');
    await first[Symbol.asyncDispose]();
    await using second = openScope();
    await (await openWorkspace(folder.path, second)).hold('second');
  });

  it('that cannot be let go, as on a full disk, spoils nothing that was done', async () => {
    await using folder = await openThrowAwayFolder();
    const scope = openScope();
    await (await openWorkspace(folder.path, scope)).hold('first');
    await rm(join(folder.path, '.ralph'), { recursive: true });
    await writeFile(join(folder.path, '.ralph'), 'in the way');
    await scope[Symbol.asyncDispose]();
  });
});
