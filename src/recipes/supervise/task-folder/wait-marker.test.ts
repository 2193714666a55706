import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { clearWait, waitMarker } from './wait-marker.ts';

const NAME = 'WAIT_WITHOUT_RESTART';

describe('the marker of an agent that asks not to be restarted', () => {
  it('is missing by default', async () => {
    await using folder = await openThrowAwayFolder();
    expect(await waitMarker(folder.path)).toBeNull();
    expect(await waitMarker(join(folder.path, 'gone'))).toBeNull();
  });

  it('gives its reason on one line', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, NAME), '  the licence server\r\n\tis down\n');
    expect(await waitMarker(folder.path)).toBe('the licence server is down');
  });

  it('contains no terminal escapes', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, NAME), 'a\u001b[2J\u0007b\0');
    expect(await waitMarker(folder.path)).toMatch(/^a.*b[^\p{Cc}]*$/u);
  });

  it('is read up to a limit, to the last whole character', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, NAME), `x${'ä'.repeat(1_000_000)}`);
    expect(await waitMarker(folder.path)).toBe(`x${'ä'.repeat(2047)}`);
  });

  it.each<[string, (path: string, beside: string) => unknown]>([
    ['an empty file', (path) => writeFile(path, '')],
    ['a folder', (path) => mkdir(path)],
    ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
    ['a link to nothing', (path) => symlink('nowhere', path)],
    ['a link to a secret', (path, beside) => symlink(join(beside, 'secret'), path)],
  ])('also counts as %s, without a reason', async (_name, make) => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'secret'), 'a secret');
    await make(join(folder.path, NAME), folder.path);
    expect(await waitMarker(folder.path)).toBe('');
  });
});

describe('a marker that was seen', () => {
  it('is renamed and counts no more', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, NAME), 'no key');
    expect(await clearWait(folder.path)).toBe(`${NAME}.seen-1`);
    expect(await waitMarker(folder.path)).toBeNull();
    expect(await readFile(join(folder.path, `${NAME}.seen-1`), 'utf8')).toBe('no key');
    expect(await clearWait(folder.path)).toBeNull();
  });

  it('may be a folder with contents, and never replaces another', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, `${NAME}.seen-1`));
    await mkdir(join(folder.path, NAME, 'inside'), { recursive: true });
    expect(await clearWait(folder.path)).toBe(`${NAME}.seen-2`);
    expect(await readdir(join(folder.path, `${NAME}.seen-2`))).toEqual(['inside']);
  });

  it('may be a link, which is renamed and not followed', async () => {
    await using folder = await openThrowAwayFolder();
    await symlink('/', join(folder.path, NAME));
    expect(await clearWait(folder.path)).toBe(`${NAME}.seen-1`);
    expect((await lstat(join(folder.path, `${NAME}.seen-1`))).isSymbolicLink()).toBe(true);
  });
});
