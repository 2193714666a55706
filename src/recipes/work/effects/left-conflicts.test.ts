import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { leftConflicts } from './settle-plan.ts';

const CLASH = '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main\n';

it('leftConflicts names the files that still contain both sides, and no others', async () => {
  await using folder = await openThrowAwayFolder();
  const files = { 'clash.txt': CLASH, 'windows.txt': CLASH.replaceAll('\n', '\r\n'), 'clean.txt': 'ours and theirs\n', 'heading.md': 'Title\n=======\n' };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  expect(await leftConflicts(folder.path, [...Object.keys(files), 'gone.txt'])).toEqual(['clash.txt', 'windows.txt']);
});
