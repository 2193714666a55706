import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { linkNew } from './numbered.ts';

describe.each(['before it is seen', 'before it is said'] as const)('a new file that is on the disk %s', (onDisk) => {
  it('is created with its folder and leaves no other file', async () => {
    await using folder = await openThrowAwayFolder();
    const home = join(folder.path, 'not', 'there', 'yet');
    expect(await linkNew(join(home, 'a'), 'content', onDisk)).toBe(true);
    expect(await readdir(home)).toEqual(['a']);
    expect(await readFile(join(home, 'a'), 'utf8')).toBe('content');
  });

  it('is created completely by exactly one of many writers', async () => {
    await using folder = await openThrowAwayFolder();
    const content = (racer: number) => `${racer}`.repeat(100_000);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, racer) => linkNew(join(folder.path, 'a'), content(racer), onDisk)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await readFile(join(folder.path, 'a'), 'utf8')).toBe(content(answers.indexOf(true)));
    expect(await readdir(folder.path)).toEqual(['a']);
  });

  it('is refused with the reason if no file can be created there', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'file'), '');
    await expect(linkNew(join(folder.path, 'file', 'a'), '', onDisk)).rejects.toThrow('ENOTDIR');
  });
});
