import { execFileSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { link, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onlyForRoot } from '../../../test/support/skip-loudly.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openFresh, writeFresh } from './write.ts';

type InTheWay = readonly [name: string, put: (path: string, precious: string) => Promise<unknown> | unknown];

const inTheWay: readonly InTheWay[] = [
  ['nothing', () => undefined],
  ['an older file', (path) => writeFile(path, 'older and longer')],
  ['a link to another file', (path, precious) => symlink(precious, path)],
  ['a hard link to another file', (path, precious) => link(precious, path)],
  ['a link to nowhere', (path) => symlink('nowhere', path)],
  ['a link to itself', (path) => symlink(path, path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
];

describe('a fresh file', () => {
  it.each(inTheWay)('replaces %s and changes nothing else', async (_name, put) => {
    await using folder = await openThrowAwayFolder();
    const [path, precious] = [join(folder.path, 'guessed'), join(folder.path, 'precious')];
    await writeFile(precious, 'precious');
    await put(path, precious);
    writeFresh(path, 'fresh');
    expect((await lstat(path)).isFile()).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('fresh');
    expect(await readFile(precious, 'utf8')).toBe('precious');
  });

  it('is readable only by its owner', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'guessed');
    closeSync(openFresh(path));
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
  });

  it.skipIf(onlyForRoot('making a device'))('does not replace a device', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'guessed');
    execFileSync('mknod', [path, 'c', '1', '3']);
    expect(() => openFresh(path)).toThrow('is a device');
    expect((await lstat(path)).isCharacterDevice()).toBe(true);
  });

  it('does not replace a directory', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, 'guessed'));
    expect(() => openFresh(join(folder.path, 'guessed'))).toThrow(/EISDIR|EPERM/);
  });
});
