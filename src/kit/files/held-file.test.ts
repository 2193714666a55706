import { renameSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openHeldFile } from './write.ts';

describe('a held file', () => {
  it('can be read from its beginning or its end', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'log');
    writeFileSync(path, 'beginning and end');
    using file = openHeldFile(path);
    file.hold();
    expect([file.read('beginning', 9), file.read('end', 3), file.read('end', 1000)]).toEqual(['beginning', 'end', 'beginning and end']);
  });

  it('stays the same file when another is put at its path', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'log');
    writeFileSync(path, 'ours');
    using file = openHeldFile(path);
    file.hold();
    writeFileSync(`${path}.new`, 'theirs');
    renameSync(`${path}.new`, path);
    expect(file.read('end', 100)).toBe('ours');
  });

  it('reads as empty before it is held, and if the path is not a regular file', async () => {
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
