import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { endOfFile, errorMessageIn } from './error-message.ts';

describe('the error message of a failed program', () => {
  it.each([
    ['one line of claude', "error: unknown option '--no-auto-compact'\n", "unknown option '--no-auto-compact'"],
    [
      'the line above the advice of codex',
      "WARNING: proceeding\nerror: unexpected argument '--full-auto' found\n\n  tip: use '-- --full-auto'\n\nFor more information, try '--help'.\n",
      "unexpected argument '--full-auto' found",
    ],
    ['the line above a stack', 'node:internal\n\nTypeError: x is no function\n    at y.js:1\n\nNode.js v20\n', 'TypeError: x is no function'],
    ['the last of several', 'ERROR: first\nERROR: You’ve hit your usage limit.\n', 'You’ve hit your usage limit.'],
    ['the last line where none is called an error', 'Loading\r\nNot logged in · Please run /login\r\n\n', 'Not logged in · Please run /login'],
    ['its words without colours', '\u001b[31mError: \u001b[1mno key\u001b[0m\n', 'no key'],
    ['the beginning of a long one', 'x'.repeat(1000), `${'x'.repeat(300)}…`],
  ])('is %s', (_what, output, complaint) => {
    expect(errorMessageIn(output)).toBe(complaint);
  });

  it.each(['', '\n \r\n', '\u001b[0m'])('is empty where nothing was printed: %j', (output) => {
    expect(errorMessageIn(output)).toBeNull();
  });
});

describe('the end of a file', () => {
  it('is all of a small one, and the last part of a big one', async () => {
    await using folder = await openThrowAwayFolder();
    const file = join(folder.path, 'agent.stderr');
    await writeFile(file, 'all\n');
    expect(endOfFile(file)).toBe('all\n');
    await writeFile(file, `${'x'.repeat(1_000_000)}\nlast\n`);
    expect(endOfFile(file)).toHaveLength(65_536);
    expect(endOfFile(file)).toMatch(/x\nlast\n$/);
  });

  it('is empty where there is no file, or a pipe that nobody writes to', async () => {
    await using folder = await openThrowAwayFolder();
    execFileSync('mkfifo', [join(folder.path, 'pipe')]);
    expect([endOfFile(join(folder.path, 'none')), endOfFile(join(folder.path, 'pipe'))]).toEqual(['', '']);
  });
});
