import { existsSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { writeJustfile } from './init.ts';

const OPTIONS = { force: false, dryRun: false };
const THEIRS = 'build:\n    make\n';

async function openDirectory(files: Readonly<Record<string, string>> = {}) {
  const folder = await openThrowAwayFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content);
  return {
    path: folder.path,
    write: (over: Partial<typeof OPTIONS> = {}) => writeJustfile(folder.path, { ...OPTIONS, ...over }),
    read: (name: string) => readFile(join(folder.path, name), 'utf8'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('recipes for just', () => {
  it('are written once, readable by everyone, if there is no justfile', async () => {
    await using here = await openDirectory();
    const first = await here.write();
    expect(first).toMatchObject({ file: 'justfile', written: true, importLine: null });
    expect(await here.read('justfile')).toBe(first.text);
    expect((await stat(join(here.path, 'justfile'))).mode & 0o777).toBe(0o644);
    expect(await here.write()).toMatchObject({ file: 'justfile', written: false, importLine: null });
    expect(await readdir(here.path)).toEqual(['justfile']);
  });

  it.each(['justfile', 'Justfile', '.justfile', 'JUSTFILE'])('are written beside an existing %s, with the line it has to import', async (name) => {
    await using here = await openDirectory({ [name]: THEIRS });
    const answer = await here.write();
    expect(answer).toMatchObject({ file: 'ralph.just', written: true, importLine: { line: "import 'ralph.just'", into: name } });
    expect(await here.read(name)).toBe(THEIRS);
    expect(await here.read('ralph.just')).toBe(answer.text);
  });

  it.each([["import 'ralph.just'"], ['import? "./ralph.just"']])('need no import line if the justfile already has %j', async (line) => {
    await using here = await openDirectory({ justfile: `${line}\n${THEIRS}` });
    expect(await here.write()).toMatchObject({ file: 'ralph.just', importLine: null });
  });

  it('replace an existing justfile only with --force', async () => {
    await using here = await openDirectory({ Justfile: THEIRS });
    const answer = await here.write({ force: true });
    expect(answer).toMatchObject({ file: 'Justfile', written: true, importLine: null });
    expect(await here.read('Justfile')).toBe(answer.text);
  });

  it('do not replace a ralph.just with other recipes', async () => {
    await using here = await openDirectory({ justfile: THEIRS, 'ralph.just': 'older:\n' });
    await expect(here.write()).rejects.toMatchObject({ message: expect.stringContaining('it already exists, with other recipes'), exitCode: 2 });
    expect(await here.read('ralph.just')).toBe('older:\n');
  });

  it('are not written in a dry run', async () => {
    await using here = await openDirectory();
    expect(await here.write({ dryRun: true })).toMatchObject({ file: 'justfile', written: false });
    expect(await readdir(here.path)).toEqual([]);
  });

  it.each<[string, (path: string) => unknown]>([
    ['a link', (path) => symlinkSync('elsewhere', path)],
    ['a folder', (path) => mkdir(path)],
  ])('are not written if the justfile is %s', async (_what, make) => {
    await using here = await openDirectory();
    await make(join(here.path, 'justfile'));
    await expect(here.write({ force: true })).rejects.toMatchObject({ code: 'justfile-not-written', exitCode: 2 });
    expect(existsSync(join(here.path, 'elsewhere'))).toBe(false);
  });

  it('report a failed write in one line', async () => {
    await using here = await openDirectory();
    const gone = join(here.path, 'gone');
    await expect(writeJustfile(gone, OPTIONS)).rejects.toMatchObject({ message: `cannot write ${join(gone, 'justfile')}: ENOENT: no such file or directory` });
  });
});
