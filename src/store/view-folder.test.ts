import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepo } from '../../test/support/repo.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { logFolderOf, makeViewFolder } from './user-folders.ts';

describe('the view folder', () => {
  it('is hidden from git by its own .gitignore, except for settings.json', async () => {
    await using repo = await openRepo();
    await repo.write('a/.ralph/lock@1', 'x');
    await repo.write('a/.ralph/settings.json', '{}');
    expect(await makeViewFolder(join(repo.path, 'a', '.ralph'))).toBe(true);
    expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('?? a/.ralph/settings.json');
  });

  it('is hidden again after it was removed', async () => {
    await using folder = await openThrowAwayFolder();
    const view = join(folder.path, '.ralph');
    await makeViewFolder(view);
    await rm(view, { recursive: true });
    expect(await makeViewFolder(view)).toBe(true);
    expect(await readdir(view)).toEqual(['.gitignore']);
  });

  it("keeps the user's own .gitignore", async () => {
    await using repo = await openRepo({ '.ralph/.gitignore': '!notes.md\n' });
    await makeViewFolder(join(repo.path, '.ralph'));
    expect(await readFile(join(repo.path, '.ralph', '.gitignore'), 'utf8')).toBe('!notes.md\n');
  });

  it('does not create a removed workspace again', async () => {
    await using folder = await openThrowAwayFolder();
    expect(await makeViewFolder(join(folder.path, 'gone', '.ralph'))).toBe(false);
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe('the logs of gates', () => {
  const placeIn = (folder: string) => ({ markerPrefix: 'r~1', workspace: folder, runFolder: join(folder, 'run'), viewFolder: join(folder, '.ralph') });

  it('go to the view folder', async () => {
    await using folder = await openThrowAwayFolder();
    expect(await logFolderOf(placeIn(folder.path))).toBe(join(folder.path, '.ralph'));
  });

  it.each([
    ['a file', (path: string) => writeFile(path, '')],
    ['a link to another folder', (path: string, elsewhere: string) => symlink(elsewhere, path)],
    ['a link to nowhere', (path: string) => symlink('nowhere', path)],
  ])('go to the run folder when the view folder was replaced by %s', async (_name, put) => {
    await using folder = await openThrowAwayFolder();
    const place = placeIn(folder.path);
    const elsewhere = join(folder.path, 'elsewhere');
    await mkdir(elsewhere);
    await put(place.viewFolder, elsewhere);
    expect(await logFolderOf(place)).toBe(place.runFolder);
    expect(await readdir(elsewhere)).toEqual([]);
  });
});
