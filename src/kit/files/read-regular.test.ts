import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { readRegular } from './read.ts';

describe('a regular file', () => {
  it('is read completely; a pipe, a link, a folder or a gigabyte of zeros is not', async () => {
    await using folder = await openThrowAwayFolder();
    const at = (name: string) => join(folder.path, name);
    execFileSync('mkfifo', [at('pipe')]);
    writeFileSync(at('file'), 'one\ntwo');
    symlinkSync(at('file'), at('link'));
    mkdirSync(at('folder'));
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 1024 ** 3);
    expect(readRegular(at('file'))).toBe('one\ntwo');
    for (const name of ['pipe', 'link', 'folder', 'huge', 'nowhere']) expect(readRegular(at(name))).toBeNull();
  });
});
