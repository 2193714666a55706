import { renameSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openHeldFile } from './write.ts';

describe('a file that is held', () => {
  it('is read from either side, as much as is wanted', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'log');
    writeFileSync(path, 'beginning and end');
    using file = openHeldFile(path);
    file.hold();
    expect([file.read('beginning', 9), file.read('end', 3), file.read('end', 1000)]).toEqual(['beginning', 'end', 'beginning and end']);
  });

  it('is the same one whatever is put in its place', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'log');
    writeFileSync(path, 'ours');
    using file = openHeldFile(path);
    file.hold();
    writeFileSync(`${path}.new`, 'theirs');
    renameSync(`${path}.new`, path);
    expect(file.read('end', 100)).toBe('ours');
  });

  it('reads as empty before it is held, and when it is no file', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, 'log'));
    using file = openHeldFile(join(folder.path, 'log'));
    expect(file.read('end', 100)).toBe('');
    file.hold();
    expect(file.read('end', 100)).toBe('');
    using missing = openHeldFile(join(folder.path, 'missing'));
    missing.hold();
    expect(missing.read('beginning', 100)).toBe('');
  });
});
