import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { prepareStateFolder } from './make-sandbox.ts';

describe('the folder of the login', () => {
  it('is created with a .claude.json that can be read', async () => {
    await using home = await openThrowAwayFolder();
    const folder = await prepareStateFolder(home.path);
    expect(JSON.parse(await readFile(join(folder, '.claude.json'), 'utf8'))).toEqual({});
    expect((await stat(join(folder, '.claude'))).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['', {}],
    [' \n', {}],
    ['{"token":1}', { token: 1 }],
  ])('keeps its content, and repairs an empty .claude.json: %j', async (before, after) => {
    await using home = await openThrowAwayFolder();
    const folder = join(home.path, '.dclaude_state');
    await mkdir(folder);
    await writeFile(join(folder, '.claude.json'), before, { mode: 0o644 });
    await prepareStateFolder(home.path);
    expect(JSON.parse(await readFile(join(folder, '.claude.json'), 'utf8'))).toEqual(after);
    expect((await stat(join(folder, '.claude.json'))).mode & 0o777).toBe(0o600);
  });

  it('is not written through a link that a process in a sandbox has left', async () => {
    await using home = await openThrowAwayFolder();
    const victim = join(home.path, 'victim');
    await writeFile(victim, '');
    await mkdir(join(home.path, '.dclaude_state'));
    await symlink(victim, join(home.path, '.dclaude_state/.claude.json'));
    await expect(prepareStateFolder(home.path)).rejects.toMatchObject({ code: 'sandbox-unavailable', exitCode: 4 });
    expect(await readFile(victim, 'utf8')).toBe('');
  });
});
