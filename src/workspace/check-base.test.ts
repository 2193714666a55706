import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { refuseOldGit } from './check-base.ts';

describe('`ralph work` requires a git that can merge without a work tree', () => {
  it.each([
    ['git version 2.34.1', 'git 2.34.1 cannot merge results without a work tree: `ralph work` needs git 2.38 or later'],
    ['git version 1.99.0', 'git 1.99.0 cannot merge results without a work tree: `ralph work` needs git 2.38 or later'],
    ['git version 2.38.0', null],
    ['git version 2.39.5 (Apple Git-154)', null],
    ['git version 3.0.0', null],
    ['a git of another kind', null],
  ])('%s', async (said, refused) => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'git'), `#!/bin/sh\necho '${said}'\n`);
    await chmod(join(folder.path, 'git'), 0o755);
    const env = { PATH: `${folder.path}${delimiter}${process.env['PATH'] ?? ''}` };
    const asked = refuseOldGit({ env }, { topLevel: folder.path });
    if (refused === null) await expect(asked).resolves.toBeUndefined();
    else await expect(asked).rejects.toMatchObject({ code: 'git-too-old', message: refused, exitCode: 4 });
  });
});
