import { describe, expect, it } from 'vitest';
import { commitMessage } from './commit-message.ts';

describe("the commit message in an agent's answer", () => {
  it.each([
    ['\n\nUpdate dependencies\nMore', 'Update dependencies'],
    ['Some words\n<response>Add a parser</response>', 'Add a parser'],
    ['<RESPONSE>Add a parser</RESPONSE>', 'Add a parser'],
    ['<response>one</response><response>two</response>', 'one'],
    ['<response>\nAdd a parser\n\nIt reads dates.\n</response>', 'Add a parser\n\nIt reads dates.'],
    ['<response>never closed', '<response>never closed'],
    ['  Fix it  \r\nmore', 'Fix it'],
    ['```\nFix it\n```', 'Fix it'],
    ['$(rm -rf .) `id` "quotes" \\', '$(rm -rf .) `id` "quotes" \\'],
    ['--amend', '--amend'],
    ['# not a comment', '# not a comment'],
    ['Fix\u0000 \u001b[31mred\u001b[0m', 'Fix [31mred[0m'],
  ])('in %j is %j', (said, message) => {
    expect(commitMessage(said)).toBe(message);
  });

  it.each(['', '   \n\t\r\n', '<response></response>', '<response>  </response>\nlater', '```\n```', '\u0007'])('does not exist in %j', (said) => {
    expect(commitMessage(said)).toBeNull();
  });

  it('is cut to a page, between characters', () => {
    const message = commitMessage('😀'.repeat(20_000));
    expect(message).toBe(`${'😀'.repeat(5_000)}…`);
  });
});
