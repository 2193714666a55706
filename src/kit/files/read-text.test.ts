import { execFileSync, spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { readText } from './read-text.ts';

async function read(put: (path: string) => unknown, pipes: 'read pipes' | 'refuse pipes' = 'refuse pipes') {
  await using folder = await openThrowAwayFolder();
  const path = join(folder.path, 'file');
  await put(path);
  return await readText(path, pipes);
}

const throughALink = async (path: string) => {
  await writeFile(`${path}.real`, 'words');
  await symlink(`${path}.real`, path);
};

const aPipe = (path: string) => execFileSync('mkfifo', [path]);

describe('text', () => {
  it.each([
    ['a file', (path: string) => writeFile(path, ' \n'), ' \n'],
    ['a link to a file', throughALink, 'words'],
  ])('can be read repeatedly from %s', async (_name, put, text) => {
    expect(await read(put)).toEqual({ kind: 'text', text, isRegular: true });
  });

  it('can be read once from a pipe if pipes are allowed', async () => {
    const spoken = await read((path) => {
      aPipe(path);
      spawn('sh', ['-c', 'echo words >"$0"', path], { stdio: 'ignore' });
    }, 'read pipes');
    expect(spoken).toEqual({ kind: 'text', text: 'words\n', isRegular: false });
  });

  it.each([
    ['is missing', () => undefined, 'missing', 'ENOENT'],
    ['lies below a file', (path: string) => symlink('/etc/hosts/below', path), 'missing', 'ENOTDIR'],
    ['is a link to itself', (path: string) => symlink(path, path), 'refused', 'ELOOP'],
    ['is a directory', (path: string) => mkdir(path), 'directory', 'it is a directory'],
    ['is a pipe without a writer', aPipe, 'not-regular', 'it is not a regular file'],
    ['never ends', (path: string) => symlink('/dev/zero', path), 'not-regular', 'it is not a regular file'],
    ['is empty', (path: string) => writeFile(path, ''), 'empty', 'it is empty'],
    ['is not UTF-8', (path: string) => writeFile(path, Buffer.from([0xff, 0xfe])), 'not-utf-8', 'it is not UTF-8 text'],
  ])('is not read from a path that %s', async (_name, put, why, reason) => {
    expect(await read(put)).toEqual({ kind: 'no-text', why, reason });
  });
});
