import { lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { makeFolder, makeFoldersBelow } from './write.ts';

describe('a folder', () => {
  it('is created once, with all folders between it and its base', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'a', 'b', 'c');
    await makeFoldersBelow(folder.path, path, 0o700);
    await makeFoldersBelow(folder.path, path, 0o700);
    expect((await lstat(path)).isDirectory()).toBe(true);
  });

  it('is not created if its base is missing', async () => {
    await using folder = await openThrowAwayFolder();
    const base = join(folder.path, 'gone');
    await expect(makeFolder(join(base, 'a'), 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(makeFoldersBelow(base, join(base, 'a', 'b'), 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.each([
    ['a file', (path: string) => writeFile(path, '')],
    ['a link to another folder', (path: string, elsewhere: string) => symlink(elsewhere, path)],
  ])('is not created through %s in its path', async (_name, put) => {
    await using folder = await openThrowAwayFolder();
    const elsewhere = join(folder.path, 'elsewhere');
    await mkdir(elsewhere);
    await put(join(folder.path, 'a'), elsewhere);
    await expect(makeFoldersBelow(folder.path, join(folder.path, 'a', 'b'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readdir(elsewhere)).toEqual([]);
  });
});
