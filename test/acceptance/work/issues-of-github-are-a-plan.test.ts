import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { issue, openGh } from '../../support/gh-stand-in.ts';
import { openGitPlace } from '../../support/place.ts';

describe('ralph plan github', () => {
  it('writes the issues of a milestone as a plan, and closes those that are done', async () => {
    await using place = await openGitPlace();
    const gh = await openGh(place.beside, [issue(12, { body: 'Depends on #7' }), issue(7)]);
    const github = async (...args: readonly string[]) => await place.ralph(['plan', 'github', '--milestone', 'v2', ...args], { env: gh.env });

    expect(await github()).toMatchObject({
      code: 0,
      stdout:
        'github-issues.jsonl: 2 open issues\nCommit it: git add github-issues.jsonl && git commit -m "plan: issues"\nThen: ralph work --plan github-issues.jsonl\n',
      stderr: '',
    });
    expect(await gh.calls()).toEqual([expect.stringMatching(/^issue list .* --milestone v2$/)]);
    const next = await place.ralph(['task', 'next', '--plan', 'github-issues.jsonl']);
    expect(next.stdout).toContain('gh-7');

    const done = (await readFile(join(place.path, 'github-issues.jsonl'), 'utf8')).replace(/(gh-7.*)"status":"open"/, '$1"status":"closed"');
    await place.write('github-issues.jsonl', done);
    expect((await github('--dry-run')).stdout).toMatch(/^Would close #7 Issue 7\n/);
    expect(JSON.parse((await github('--json')).stdout)).toEqual({
      plan: 'github-issues.jsonl',
      open: 1,
      closed: [{ number: 7, title: 'Issue 7', commit: null }],
      written: expect.any(Boolean),
    });
    expect((await gh.calls()).filter((call) => call.startsWith('issue close'))).toEqual([expect.stringMatching(/^issue close 7 --comment Done: /)]);
  });

  it('says that there may be more issues than it reads', async () => {
    await using place = await openGitPlace();
    const gh = await openGh(
      place.beside,
      Array.from({ length: 500 }, (_, index) => issue(index + 1)),
    );
    const { code, stderr } = await place.ralph(['plan', 'github', '--label', 'ralph', '--dry-run'], { env: gh.env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^warning: Ralph reads the newest 500 issues.* label or milestone with fewer\n$/),
    });
  });
});
