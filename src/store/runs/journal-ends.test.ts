import { execFileSync } from 'node:child_process';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { type Ends, readJournalEnds } from './run-summary.ts';

async function endsOf(...lines: readonly string[]): Promise<Ends> {
  await using folder = await openThrowAwayFolder();
  const path = join(folder.path, 'journal.jsonl');
  await writeFile(path, lines.join('\n'));
  return readJournalEnds(path);
}

const KIB = 1024;

describe('the ends of a journal', () => {
  it.each([
    ['of one line', ['one', ''], 'one', 'one'],
    ['of several', ['one', 'two', 'three', ''], 'one', 'three'],
    ['with a torn last line', ['one', 'two', 'thr'], 'one', 'two'],
    ['with nothing but a torn second line', ['one', 'tw'], 'one', 'one'],
    ['with long lines at both ends', ['a'.repeat(300 * KIB), 'b', 'ü'.repeat(300 * KIB), ''], 'a'.repeat(300 * KIB), 'ü'.repeat(300 * KIB)],
    ['with a torn line longer than one read', ['one', 'two', 'x'.repeat(200 * KIB)], 'one', 'two'],
  ])('are its first and its last complete line: %s', async (_name, lines, first, last) => {
    expect(await endsOf(...lines)).toEqual({ kind: 'ends', first, last });
  });

  it('are correct wherever a line crosses the border between two reads', async () => {
    for (const length of [8, 24, 56].flatMap((edge) => [-3, -2, -1, 0, 1, 2, 3].map((off) => edge * KIB + off))) {
      const last = 'l'.repeat(length);
      expect(await endsOf('first', 'second', last, '')).toEqual({ kind: 'ends', first: 'first', last });
      expect(await endsOf('first', last, 'x')).toEqual({ kind: 'ends', first: 'first', last });
    }
  });

  it.each([
    ['an empty file', []],
    ['a file whose first line is torn', ['{"v":1']],
  ])('are missing in %s', async (_name, lines) => {
    expect(await endsOf(...lines)).toEqual({ kind: 'empty' });
  });
});

describe('a path that is not a journal', () => {
  it('is reported without waiting: a pipe, a link, a folder or a gigabyte of zeros', async () => {
    await using folder = await openThrowAwayFolder();
    const at = (name: string) => join(folder.path, name);
    execFileSync('mkfifo', [at('pipe')]);
    await writeFile(at('file'), 'one\n');
    await symlink(at('file'), at('link'));
    await mkdir(at('folder'));
    await using huge = await open(at('huge'), 'w');
    await huge.truncate(1024 ** 3);
    const why = 'its journal is not a regular file';

    expect(readJournalEnds(at('nowhere'))).toEqual({ kind: 'absent' });
    for (const name of ['pipe', 'link', 'folder']) expect(readJournalEnds(at(name))).toEqual({ kind: 'unreadable', why });
    expect(readJournalEnds(at('huge'))).toEqual({ kind: 'unreadable', why: 'its journal holds a line that is too long' });
  });
});
