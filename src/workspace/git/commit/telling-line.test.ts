import { describe, expect, it } from 'vitest';
import { tellingLine } from './git-users-command.ts';

describe('the most informative line', () => {
  it.each([
    ['is the last line of a hook', 1, 'error: one thing\n\n  3 problems \n\n', '3 problems'],
    ['is the last two complaints if the last line is a complaint', 1, 'error: bad object\nerror: no tree\n', 'error: bad object; error: no tree'],
    ['has the reason why git gave up, and that it did', 128, 'lint ok\nerror: gpg failed\nfatal: no commit\n', 'error: gpg failed; fatal: no commit'],
    ['is not the advice after a complaint', 128, "fatal: cannot create 'x'\n\nRemove the file.\n", "fatal: cannot create 'x'"],
    ['is the last line if git gave up without a complaint', 128, 'oh\nno\n', 'no'],
    ['has no terminal control characters', 1, '\u001b[2J\u001b[31mred\u001b[0m\u0007 line\r\n', 'red line'],
  ])('%s', (_name, code, output, line) => {
    expect(tellingLine(output, code)).toBe(line);
  });

  it('is cut if it is long, and null if there is no output', () => {
    expect(tellingLine('x'.repeat(5_000), 1)).toHaveLength(300);
    expect(tellingLine(' \n\r\n', 1)).toBeNull();
  });
});
