import { describe, expect, it } from 'vitest';
import { judgeRead, judgeWrite } from './judge-tool.ts';
import type { GuardPlace } from './rule.ts';

const place: GuardPlace = { lists: { allow: [], deny: [], warn: [] }, cwd: '/p/src', home: '/home/u', root: '/p' };

describe('a write to a file', () => {
  it.each(['a.ts', '/p/a.ts', '../README.md', '/tmp/x', '/p/.github/workflows/ci.yml', '/home/u/other/a.ts'])('is allowed for %s', (path) => {
    expect(judgeWrite([path], place).level).toBe('allow');
  });

  it.each([
    ['/etc/hosts', 11],
    ['/home/u/.ssh/authorized_keys', 5],
    ['~/.bashrc', 18],
    ['../.git/hooks/pre-commit', 15],
    ['../../etc/passwd', 18],
    ['/p/.git/config', 10],
    ['/p/.claude/settings.json', 15],
    ['/usr/local/bin/x', 18],
    ['/dev/sda', 2],
  ])('is not allowed for %s', (path, category) => {
    const { level, findings } = judgeWrite([path], place);
    expect(level).toBe('block');
    expect(findings).toEqual([expect.objectContaining({ category, part: path })]);
  });

  it('is judged by the worst spelling of its path', () => {
    expect(judgeWrite(['/p/link', '/home/u/.ssh/config'], place).level).toBe('block');
  });
});

describe('a read of a file', () => {
  it.each(['a.ts', '/etc/hosts', '~/.ssh/id_rsa.pub', '.env.example', 'certs/test.pem', '/home/u/notes.txt'])('is allowed for %s', (path) => {
    expect(judgeRead([path], place).level).toBe('allow');
  });

  it('is allowed for an env file, with a warning', () => {
    expect(judgeRead(['../.env'], place).level).toBe('warn');
  });

  it.each(['~/.ssh/id_rsa', '/home/u/.aws/credentials', '/home/other/.ssh/id_ed25519', '/etc/shadow', '/proc/self/environ', 'server.key', '~/.bash_history'])(
    'is not allowed for %s',
    (path) => {
      const { level, findings } = judgeRead([path], place);
      expect(level).toBe('block');
      expect(findings[0]?.category).toBe(6);
    },
  );
});
