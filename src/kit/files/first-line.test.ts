import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { readFirstLine } from './file-lines.ts';

describe('the first line of a file', () => {
  it.each([
    ['one\ntwo\n', 'one'],
    ['\ntwo\n', ''],
    ['not yet whole', null],
    ['', null],
    [`${'x'.repeat(300_000)}\n${'y\n'.repeat(300_000)}`, 'x'.repeat(300_000)],
  ])('of %.10j… is the text before the first newline', async (content, expected) => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'file');
    writeFileSync(path, content);
    expect(readFirstLine(path)).toBe(expected);
  });

  it('is null without waiting for a pipe, a link, a folder, a gigabyte of zeros, or a missing file', async () => {
    await using folder = await openThrowAwayFolder();
    const at = (name: string) => join(folder.path, name);
    execFileSync('mkfifo', [at('pipe')]);
    writeFileSync(at('file'), 'one\n');
    symlinkSync(at('file'), at('link'));
    mkdirSync(at('folder'));
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 1024 ** 3);
    for (const name of ['pipe', 'link', 'folder', 'huge', 'nowhere']) expect(readFirstLine(at(name))).toBeNull();
  });
});
