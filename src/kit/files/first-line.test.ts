import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { firstLine } from './first-line.ts';

describe('the first line of a file', () => {
  it.each([
    ['one\ntwo\n', 'one'],
    ['only', 'only'],
    ['', ''],
    [`${'x'.repeat(300_000)}\n${'y\n'.repeat(300_000)}`, 'x'.repeat(300_000)],
  ])('of %.10j… is what stands before the first end of a line', async (content, expected) => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'file');
    writeFileSync(path, content);
    expect(await firstLine(path)).toBe(expected);
  });

  it('is not there where no file is', async () => {
    await expect(firstLine('/no/such/file')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
