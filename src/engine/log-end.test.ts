import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { logEnd } from './log-end.ts';

it('the end of a log is all of a short one, the last part of a long one, and nothing of one that is gone or a link', async () => {
  await using folder = await openThrowAwayFolder();
  const path = (name: string) => join(folder.path, name);
  await writeFile(path('short'), 'one\ntwo\n');
  await writeFile(path('long'), `${'x'.repeat(100_000)}\nthe end\n`);
  await symlink(path('short'), path('link'));

  expect(logEnd(path('short'))).toBe('one\ntwo\n');
  expect(logEnd(path('long'))).toMatch(/^x+\nthe end\n$/);
  expect(logEnd(path('long'))).toHaveLength(64 * 1024);
  expect(logEnd(path('gone'))).toBe('');
  expect(logEnd(path('link'))).toBe('');
});
