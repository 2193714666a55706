import { describe, expect, it } from 'vitest';
import { programOfLine } from './program-of-line.ts';

describe('the program of a command line', () => {
  it.each([
    ['npmm test', 'npmm'],
    ['  npm test', 'npm'],
    ['make', 'make'],
    ['CI=1 NODE_ENV=test npm test', 'npm'],
    ['pytest; true', 'pytest'],
    ['pytest|tail -1', 'pytest'],
    ['g++ --version', 'g++'],
    ['python3.12 -m pytest', 'python3.12'],
    ['npm\n  test', 'npm'],
  ])('is found in %j', (line, program) => {
    expect(programOfLine(line)).toBe(program);
  });

  it.each([
    'cd x && y',
    '[ -f a ]',
    'test -f a',
    'if true; then a; fi',
    '! grep x y',
    '{ a; }',
    '(cd a && b)',
    './scripts/check.sh',
    'scripts/check.sh',
    '/opt/tool/bin/check',
    '~/bin/check',
    '$CHECK now',
    '"$CHECK" now',
    "'my check' now",
    'my\\ check',
    '`which npm` test',
    'check() { a; }; check',
    'check () { a; }; check',
    'PATH=./bin:$PATH check',
    'PATH=bin check',
    'A="b c" check',
    'A=$(b) check',
    '>log check',
    '# a comment',
    'A=1',
    '',
    '. ./env && check',
    'exec check',
    'command check',
    'time check',
    'pnpm test || npm test',
    'check --quick 2>/dev/null||true',
  ])('is unknown in %j', (line) => {
    expect(programOfLine(line)).toBeNull();
  });
});
