import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { latestNumbered, putNumbered } from './numbered.ts';

describe('numbered files', () => {
  it('have no latest number before the first is written, and need no folder for that', async () => {
    await using folder = await openThrowAwayFolder();
    expect(await latestNumbered(folder.path, 'a')).toBeNull();
    expect(await latestNumbered(join(folder.path, 'not', 'there'), 'a')).toBeNull();
  });

  it('return the highest number, also above nine', async () => {
    await using folder = await openThrowAwayFolder();
    for (let n = 1; n <= 12; n += 1) expect(await putNumbered(folder.path, 'a', n, `content ${n}`)).toBe('put');
    expect(await latestNumbered(folder.path, 'a')).toMatchObject({ n: 12, content: 'content 12' });
  });

  it('give a number to one of many racing writers, with its complete content', async () => {
    await using folder = await openThrowAwayFolder();
    const content = (racer: number) => `${racer}`.repeat(100_000);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, racer) => putNumbered(folder.path, 'race', 1, content(racer))));
    expect(answers.filter((answer) => answer === 'put')).toHaveLength(1);
    expect(await latestNumbered(folder.path, 'race')).toMatchObject({ n: 1, content: content(answers.indexOf('put')) });
  });

  it('refuse an old number, even if its file was removed', async () => {
    await using folder = await openThrowAwayFolder();
    for (let n = 1; n <= 5; n += 1) await putNumbered(folder.path, 'a', n, 'x');
    expect(await putNumbered(folder.path, 'a', 5, 'late')).toBe('taken');
    expect(await putNumbered(folder.path, 'a', 2, 'late')).toBe('taken');
    expect(await latestNumbered(folder.path, 'a')).toMatchObject({ n: 5, content: 'x' });
  });

  it('keep the last two files and no temporary file', async () => {
    await using folder = await openThrowAwayFolder();
    for (let n = 1; n <= 5; n += 1) await putNumbered(folder.path, 'a', n, 'x');
    await putNumbered(folder.path, 'a', 5, 'late');
    expect((await readdir(folder.path)).sort()).toEqual(['a@4', 'a@5']);
  });

  it('lose what a killed writer left, and a slow writer finds its number taken', async () => {
    await using folder = await openThrowAwayFolder();
    const leftover = (n: number) => `a@${n}.${crypto.randomUUID()}.tmp`;
    const [old, next, other] = [leftover(1), leftover(9), `b${leftover(1)}`];
    for (const file of [old, next, other]) await writeFile(join(folder.path, file), 'left');
    for (let n = 1; n <= 3; n += 1) await putNumbered(folder.path, 'a', n, 'x');
    expect((await readdir(folder.path)).sort()).toEqual(['a@2', 'a@3', next, other].sort());
    const racers = await Promise.all(Array.from({ length: 30 }, (_, index) => putNumbered(folder.path, 'a', 4 + (index % 3), `${index}`)));
    expect(racers).toContain('put');
  });

  it('have distinct file names inside the folder, also for strange and long names', async () => {
    await using folder = await openThrowAwayFolder();
    const long = 'task/'.repeat(100);
    const names = ['', '.', '..', '../up', 'a/b', 'a%2fb', 'a@1', 'a', 'A', '+a', 'a\0b', 'ä', '😀', ' ', `${long}1`, `${long}2`];
    for (const name of names) expect(await putNumbered(folder.path, name, 1, `content of ${name}`)).toBe('put');
    for (const name of names) expect((await latestNumbered(folder.path, name))?.content).toBe(`content of ${name}`);
    expect(new Set((await readdir(folder.path)).map((file) => file.toLowerCase())).size).toBe(names.length);
  });

  it('ignore other files in the folder', async () => {
    await using folder = await openThrowAwayFolder();
    for (const file of ['a@99.tmp', 'a@', 'a@x', 'aa@7', 'a@1@8', 'a@007', 'a@0']) await writeFile(join(folder.path, file), 'not ours');
    await putNumbered(folder.path, 'a', 1, 'ours');
    expect(await latestNumbered(folder.path, 'a')).toMatchObject({ n: 1, content: 'ours' });
  });

  it('stop searching for a number that is listed but missing', async () => {
    await using folder = await openThrowAwayFolder();
    await symlink('nowhere', join(folder.path, 'a@9'));
    await expect(latestNumbered(folder.path, 'a')).rejects.toThrow('ENOENT');
  });

  it('work as a counter for many concurrent writers without a lost update', async () => {
    await using folder = await openThrowAwayFolder();
    const addOne = async () => {
      for (;;) {
        const latest = await latestNumbered(folder.path, 'sum');
        const next = Number(latest?.content ?? 0) + 1;
        if ((await putNumbered(folder.path, 'sum', (latest?.n ?? 0) + 1, String(next))) === 'put') return;
      }
    };
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 10; round += 1) await addOne();
      }),
    );
    expect(await latestNumbered(folder.path, 'sum')).toMatchObject({ n: 80, content: '80' });
  });
});
