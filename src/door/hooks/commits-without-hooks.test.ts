import { describe, expect, it } from 'vitest';
import { commitsWithoutHooks } from './guard-decision.ts';

describe('a command', () => {
  it.each([
    'git commit --no-verify -m x',
    'git commit -n -m x',
    'git commit -nm x',
    'git commit -am x -n',
    'git commit -anm "x"',
    'git commit -m "one; two" --no-verify',
    'git commit --no-verif -m x',
    'git add -A && git commit -qm "x" --no-verify',
    'git add -A; git commit -n',
    'cd sub\ngit commit -n -m x\necho done',
    'git -C sub -c user.name=x commit --no-verify',
    '/usr/bin/git commit -n',
    'HUSKY=1 git commit -n',
    '(git commit -n)',
    "echo it's; git commit -n",
    "git commit '--no-verify' -m x",
    'git commit -m "$(cat <<\'EOF\'\nmessage\nEOF\n)" --no-verify',
  ])('that skips the commit hooks is refused: %s', (command) => {
    expect(commitsWithoutHooks(command)).toContain('leave --no-verify out');
  });

  it.each([
    'git commit -m x',
    'git commit -m -n',
    'git commit -m "no --no-verify here"',
    'git commit -mn',
    'git commit --message --no-verify',
    'git commit -F -n',
    'git commit -m x -- -n',
    'git commit -m x\nhead -n 3 file',
    'git commit -m x && tail -n 1 log',
    'git commit -m x | head -n 1',
    'git commit --verify -m x',
    'git commit --no-edit --amend',
    'git log -n 1',
    'git log --grep commit -n 1',
    'echo git commit',
    'grep -rn commit .git',
    'commit -n',
    'git',
    '',
  ])('that does not skip them is allowed: %s', (command) => {
    expect(commitsWithoutHooks(command)).toBeNull();
  });

  it('may be as long and as odd as it likes', () => {
    expect(commitsWithoutHooks(`${'\'"\\ '.repeat(100_000)}git commit`)).toBeNull();
    expect(commitsWithoutHooks('('.repeat(500_000))).toBeNull();
  });
});
