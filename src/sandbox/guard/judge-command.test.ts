import { describe, expect, it } from 'vitest';
import { judgeCommand } from './judge-command.ts';
import type { GuardPlace } from './rule.ts';

const place: GuardPlace = { lists: { allow: [], deny: [], warn: [] }, cwd: '/p', home: '/home/u', root: '/p' };
const listed = (lists: Partial<GuardPlace['lists']>): GuardPlace => ({ ...place, lists: { ...place.lists, ...lists } });
const level = (line: string, where: GuardPlace = place) => judgeCommand(line, where).level;

describe('a finding of the guard', () => {
  it('says what is wrong, where, and what to do instead', () => {
    expect(judgeCommand('echo hi && sudo -n rm -rf "$HOME"', place)).toEqual({
      level: 'block',
      findings: [
        expect.objectContaining({ level: 'block', category: 7, name: 'privilege escalation', rule: 'becomes-root', part: 'sudo -n rm -rf /home/u' }),
        expect.objectContaining({
          level: 'block',
          category: 1,
          name: 'destructive file operations',
          rule: 'removes-more-than-the-project',
          part: 'rm -rf /home/u',
        }),
      ],
    });
  });
});

describe('the lists of the operator', () => {
  it('allow one command by its words, and nothing that is joined to it', () => {
    const where = listed({ allow: ['npm publish --dry-run', 'sudo apt-get *', 'git push --force'] });
    expect(level('git push --force', where)).toBe('allow');
    expect(level('git push --force && npm publish', where)).toBe('block');
    expect(level('git push --force; git push -f', where)).toBe('block');
    expect(level('git push --force | sh', where)).toBe('block');
    expect(level('git push --force "$(rm -rf /)"', where)).toBe('block');
    expect(level('git push --force > /etc/passwd', where)).toBe('block');
    expect(level('LD_PRELOAD=/tmp/x.so git push --force', where)).toBe('block');
    expect(level('echo "git push --force"; npm publish', where)).toBe('block');
  });

  it('apply to a wrapper and to the command it runs, each by its own words', () => {
    expect(level('sudo rm -rf /', listed({ allow: ['sudo'] }))).toBe('block');
    expect(level('bash -c "make deploy"', listed({ deny: ['make deploy'] }))).toBe('block');
    expect(level('/usr/bin/make deploy now', listed({ deny: ['make deploy'] }))).toBe('block');
  });

  it('deny before they allow, and allow before they warn', () => {
    expect(level('make x', listed({ deny: ['make'], allow: ['make'], warn: ['make'] }))).toBe('block');
    expect(level('make x', listed({ allow: ['make'], warn: ['make'] }))).toBe('allow');
    expect(level('git reset --hard', listed({ warn: ['git reset'] }))).toBe('warn');
  });

  it('accept a star for anything', () => {
    const where = listed({ deny: ['docker * prune', 'npm run deploy*'] });
    expect(level('docker image prune', where)).toBe('block');
    expect(level('npm run deploy:prod', where)).toBe('block');
    expect(level('npm run dev', where)).toBe('allow');
    expect(level('docker ps', where)).toBe('allow');
  });
});

describe('a script on a command line', () => {
  const scripts = (path: string) =>
    ({ '/p/bad.sh': 'set -e\nrm -rf ~\n', '/p/good.sh': 'npm test\n', '/p/x.py': 'import os\nos.system("rm -rf /")\n' })[path] ?? null;

  it.each(['bash bad.sh', './bad.sh', '. ./bad.sh', 'sh -x bad.sh', 'python3 x.py', 'cat bad.sh; bash < bad.sh || bash bad.sh'])(
    'is judged before it runs: %s',
    (line) => {
      expect(level(line, { ...place, scripts })).toBe('block');
    },
  );

  it.each(['bash good.sh', './good.sh', 'bash unknown.sh', 'cat bad.sh', 'grep rm bad.sh'])('passes if it does no harm, or is only read: %s', (line) => {
    expect(level(line, { ...place, scripts })).toBe('allow');
  });
});

describe('a home inside a temporary folder', () => {
  const there: GuardPlace = { ...place, home: '/tmp/u' };

  it.each(['rm -rf ~', 'rm -rf /tmp/u/notes', 'find "$HOME" -delete'])('is still protected: %s', (line) => {
    expect(level(line, there)).toBe('block');
  });

  it('does not protect the files beside it', () => {
    expect(level('rm -rf /tmp/x', there)).toBe('allow');
  });
});

describe('a command line that cannot be judged', () => {
  it.each(['echo "', '$(', 'if true; then', 'x'.repeat(200_000), '{'.repeat(50_000)])('is blocked: %.20s', (line) => {
    expect(level(line)).toBe('block');
  });

  it('is blocked if it is nested too deep', () => {
    expect(level(`${'$(echo '.repeat(40)}${')'.repeat(40)}`)).toBe('block');
    expect(level(`${'$(echo '.repeat(10)}${')'.repeat(10)}`)).not.toBe('block');
  });
});
