import { execFileSync } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openRegular } from './read.ts';

describe('openRegular', () => {
  it('opens a regular file', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'file');
    await writeFile(path, 'words');
    const fd = openRegular(path);
    if (fd === null) throw new Error('It was not opened.');
    expect(readFileSync(fd, 'utf8')).toBe('words');
    closeSync(fd);
  });

  it.each([
    ['a missing file', () => undefined],
    ['a link to a regular file', (path: string) => symlink('/etc/hosts', path)],
    ['a pipe without a writer', (path: string) => execFileSync('mkfifo', [path])],
    ['a directory', (path: string) => mkdir(path)],
  ])('refuses %s without waiting', async (_name, put) => {
    await using folder = await openThrowAwayFolder();
    await put(join(folder.path, 'file'));
    expect(openRegular(join(folder.path, 'file'))).toBeNull();
  });
});
