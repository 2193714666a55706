import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileSource } from '../../test/support/compiled-source.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { openFileRegisters } from './registers-files.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/holding');

let compiled: ThrowAwayFolder;
beforeAll(async () => {
  compiled = await openThrowAwayFolder();
  await compileSource(compiled.path, ['src/store/registers-files.ts']);
});
afterAll(() => compiled[Symbol.asyncDispose]());

const start = (script: string, ...args: readonly string[]): ChildProcess => fork(join(FIXTURES, script), [compiled.path, ...args]);

describe('registers in files', () => {
  it('create their folder and write each number to a permanent file, and leave no other file there', async () => {
    await using folder = await openThrowAwayFolder();
    const home = join(folder.path, 'git', 'ralph', 'registers');
    const registers = openFileRegisters(home);
    expect(await registers.getMany(['a'])).toEqual(new Map());
    for (let n = 1; n <= 3; n += 1) await registers.put('a', n, n);
    await registers.put('a', 2, 'late');
    await writeFile(join(home, `a@3.${crypto.randomUUID()}.tmp`), 'of a killed writer');
    await registers.getMany(['a']);
    expect((await readdir(home)).sort()).toEqual(['a@1', 'a@2', 'a@3']);
  });

  it('return undefined for a value that is not JSON, not text, not a file, or truncated', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'words@1'), 'not JSON');
    await writeFile(join(folder.path, 'bytes@1'), Buffer.from([0xff, 0xfe, 0x22]));
    await writeFile(join(folder.path, 'torn@1'), '{"state":"he');
    await writeFile(join(folder.path, 'empty@1'), '');
    await mkdir(join(folder.path, 'folder@1'));
    await symlink('nowhere', join(folder.path, 'link@1'));
    const names = ['words', 'bytes', 'torn', 'empty', 'folder', 'link'];
    const registers = openFileRegisters(folder.path);
    const unknown = new Map(names.map((name) => [name, { n: 1, value: undefined }]));
    expect(await registers.getMany(names)).toEqual(unknown);
    for (const name of names) expect(await registers.get(name)).toEqual({ n: 1, value: undefined });
    for (const name of names) expect(await registers.put(name, 2, 'mended')).toBe('put');
    expect((await registers.getMany(names)).get('torn')).toEqual({ n: 2, value: 'mended' });
  });

  it('read a value once, and again only if it could not be read', async () => {
    await using folder = await openThrowAwayFolder();
    const registers = openFileRegisters(folder.path);
    await registers.put('a', 1, 'first');
    expect((await registers.getMany(['a'])).get('a')?.value).toBe('first');
    await rm(join(folder.path, 'a@1'));
    expect(await registers.getMany(['a'])).toEqual(new Map());
    await writeFile(join(folder.path, 'a@1'), '');
    expect((await registers.getMany(['a'])).get('a')?.value).toBeUndefined();
    await writeFile(join(folder.path, 'a@1'), '"mended"');
    expect((await registers.getMany(['a'])).get('a')?.value).toBe('mended');
  });

  it('ignore other files in the folder', async () => {
    await using folder = await openThrowAwayFolder();
    for (const file of ['a@99.tmp', 'a@', 'a@x', 'aa@7', 'a@1@8', 'a@007', 'a@0', '@3', 'README']) await writeFile(join(folder.path, file), '"not ours"');
    const registers = openFileRegisters(folder.path);
    expect(await registers.get('a')).toBeNull();
    await registers.put('a', 1, 'ours');
    expect((await registers.getMany(['a'])).get('a')).toEqual({ n: 1, value: 'ours' });
  });

  it('report why a folder cannot be used', async () => {
    await using folder = await openThrowAwayFolder();
    const notAFolder = join(folder.path, 'file');
    await writeFile(notAFolder, '');
    const registers = openFileRegisters(notAFolder);
    await expect(registers.get('a')).rejects.toThrow('ENOTDIR');
    await expect(registers.getMany(['a'])).rejects.toThrow('ENOTDIR');
    await expect(registers.put('a', 1, 'x')).rejects.toThrow('ENOTDIR');
  });
});

describe('a writer that is killed', () => {
  it('before any call to the file system has written its number completely or not at all, and blocks nobody', async () => {
    await using folder = await openThrowAwayFolder();
    const registers = openFileRegisters(folder.path);
    await registers.put('alive', 1, 'before');
    const calls = await callsOf(folder.path, 'alive');
    expect(calls).toEqual(['lstatSync', 'lstatSync', 'openSync', 'writeFileSync', 'linkSync', 'fsync', 'closeSync', 'unlinkSync']);
    for (const [index, call] of calls.entries()) {
      const name = `dies before ${call} ${index}`;
      await registers.put(name, 1, 'before');
      const child = start('die-in-put.mjs', folder.path, name, '2', String(index + 1));
      expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
      const isPut = index > calls.indexOf('linkSync');
      const found = isPut ? { n: 2, value: { by: 'the one that dies' } } : { n: 1, value: 'before' };
      expect(await registers.get(name)).toEqual(found);
      expect((await registers.getMany([name])).get(name)).toEqual(found);
      expect(await registers.put(name, 2, 'after')).toBe(isPut ? 'taken' : 'put');
      expect(await registers.put(name, 3, 'next')).toBe('put');
    }
  });

  async function callsOf(folder: string, name: string): Promise<readonly string[]> {
    const [{ answer, calls }] = await once(start('die-in-put.mjs', folder, name, '2', '0'), 'message');
    expect(answer).toBe('put');
    return calls;
  }

  it('again and again, among others, never causes a duplicate number, a lost confirmed number, or a gap', async () => {
    await using folder = await openThrowAwayFolder();
    const answered: { n: number; writer: string; seq: number }[] = [];
    const living = new Set<ChildProcess>();
    const startWriter = (writer: string) => {
      const child = start('put-many.mjs', folder.path, writer);
      child.on('message', (message) => answered.push(message as (typeof answered)[number]));
      living.add(child);
    };
    for (let writer = 0; writer < 24; writer += 1) {
      startWriter(`writer-${writer}`);
      if (living.size < 4) continue;
      const before = answered.length;
      await until('they go on', () => answered.length > before + 10);
      const [oldest] = living;
      if (oldest) await kill(oldest);
    }
    for (const child of living) await kill(child);

    async function kill(child: ChildProcess): Promise<void> {
      living.delete(child);
      // Its last messages may arrive after its exit.
      const over = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
      child.kill('SIGKILL');
      await over;
    }
    await expectHistory(folder.path, answered);
  });

  async function expectHistory(folder: string, answered: readonly { n: number; writer: string; seq: number }[]): Promise<void> {
    const newest = (await openFileRegisters(folder).get('hot'))?.n ?? 0;
    const history = await Promise.all(Array.from({ length: newest }, async (_, index) => JSON.parse(await readFile(join(folder, `hot@${index + 1}`), 'utf8'))));
    const named = history.map(({ writer, seq }) => `${writer}.${seq}`);
    expect(new Set(named).size).toBe(newest);
    expect(history.map(({ after }) => after)).toEqual([null, ...named.slice(0, -1)]);
    for (const { n, writer, seq } of answered) expect(named[n - 1]).toBe(`${writer}.${seq}`);
    // Of each killed writer, at most the last number was not confirmed.
    expect(newest - answered.length).toBeLessThanOrEqual(24);
  }
});
