import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeCommand } from './judge-command.ts';
import type { GuardPlace } from './verdict.ts';

const place: GuardPlace = { lists: { allow: ['a *'], deny: ['b'], warn: ['c'] }, cwd: '/p', home: '/home/u', root: '/p' };

/** Pieces of which shells are made. */
const PIECES = [
  '(',
  ')',
  '$(',
  '`',
  '"',
  "'",
  '{a,b}',
  '{',
  '}',
  'a=b;',
  'a=$a$a;',
  '$a',
  '|',
  '&',
  ';',
  '\n',
  '<<A ',
  '\nA\n',
  '<(',
  '>x ',
  '$((',
  '${a:-',
  '${a//b/',
  'f(){ ',
  'f ',
  'rm -rf ',
  '/',
  '~',
  '*',
  '[',
  'bash -c ',
  'eval ',
  'xargs ',
  'for i in 1 2 3; do ',
  'done',
  'if ',
  'case x in ',
  '\\',
  "$'\\x41",
  'echo ',
  'base64 -d',
  ' ',
  'cd x;',
  'alias x=y;',
  'sudo ',
  'find . -exec ',
  '\uE000',
  '\uE004',
];

describe('any line', () => {
  it('has a verdict', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (pieces) => {
        expect(['allow', 'warn', 'block']).toContain(judgeCommand(pieces.join(''), place).level);
      }),
      { numRuns: 1500, seed: 8 },
    );
  });

  it('of any letters has one as well', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (line) => judgeCommand(line, place).level !== undefined),
      { numRuns: 500, seed: 8 },
    );
  });
});

/** The fastest of three, on a machine that others use as well. */
function fastestMs(line: string): number {
  const times = [1, 2, 3].map(() => {
    const startMs = performance.now();
    judgeCommand(line, place);
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

const UGLY = [
  '(',
  '$(',
  '"',
  "'",
  '`',
  'a=b;',
  'a=$a$a;',
  'a|',
  '{a,b}',
  '{a,b}{c,d} ',
  '{',
  'cat <<A\nx\nA\n',
  '<<A ',
  '$((',
  '${a:-',
  '\\',
  '<(',
  'if ',
  'f(){ ',
  'for i in 1 2 3 4 5; do ',
  'f(){ f;f; };f;',
  "bash -c 'ls';",
  'cd x;',
  'env A=1 ',
  '>a ',
  "alias b='b c';b;",
  'eval "$(x)";',
];

describe('a long line', () => {
  it.each(UGLY)('of %j takes time in proportion to its length', { timeout: 120_000 }, (piece) => {
    const quarter = fastestMs(piece.repeat(Math.ceil(25_000 / piece.length)));
    const whole = fastestMs(piece.repeat(Math.ceil(100_000 / piece.length)));
    // Four times as long is four times as slow, on a busy machine somewhat more; sixteen times would be no proportion any more. Little times say nothing.
    expect(whole < 500 || whole / quarter < 12).toBe(true);
    expect(whole).toBeLessThan(30_000);
  });
});
