import { appendFile, chmod, open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { tickOfTheDisk } from '../../test/support/tick-of-the-disk.ts';
import { until } from '../../test/support/until.ts';
import { openSoleWriter } from './sole-writer.ts';

async function openFile(content = 'one\n') {
  const folder = await openThrowAwayFolder();
  const path = join(folder.path, 'file');
  await writeFile(path, content);
  const handle = await open(path, 'a+');
  return {
    path,
    file: openSoleWriter(handle, path, Buffer.from(content)),
    async [Symbol.asyncDispose]() {
      await handle.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('the sole writer of a file', () => {
  it('reports nothing after its own appends', async () => {
    await using own = await openFile();
    for (const text of ['two\n', 'drei ü\n', '']) await own.file.append(text);
    expect(await own.file.foreignChange()).toBeNull();
    expect(await readFile(own.path, 'utf8')).toBe('one\ntwo\ndrei ü\n');
  });

  it.each<[string, string | null, (path: string) => Promise<unknown>]>([
    ['adds to it', 'changed', (path) => appendFile(path, 'x')],
    ['cuts it', 'changed', (path) => truncate(path, 2)],
    ['overwrites it with the same number of bytes', 'changed', (path) => writeFile(path, 'ONE\n')],
    ['deletes it', 'deleted', (path) => rm(path)],
    ['moves it away', 'deleted', (path) => rename(path, `${path}.moved`)],
    ['replaces it with another file', 'replaced', (path) => writeFile(`${path}.new`, 'one\n').then(() => rename(`${path}.new`, path))],
    ['lets others read it', null, (path) => chmod(path, 0o644)],
  ])('detects, before and after its next line, whether somebody %s', async (_what, meddling, meddle) => {
    await using own = await openFile();
    await tickOfTheDisk(own.path);
    await meddle(own.path);
    expect(await own.file.foreignChange()).toBe(meddling);
    await own.file.append('two\n');
    expect(await own.file.foreignChange()).toBe(meddling);
  });

  it('stops reading a file that keeps growing', async () => {
    await using own = await openFile();
    let grows = true;
    const growing = (async () => {
      while (grows) await appendFile(own.path, 'x'.repeat(100_000));
    })();
    await until('it grows', async () => (await stat(own.path)).size > 1_000_000);
    await own.file.append('two\n');
    expect(await own.file.foreignChange()).toBe('changed');
    grows = false;
    await growing;
  });
});
