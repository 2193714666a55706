import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { deep } from '../../../test/support/deep.ts';
import { judgeCommand } from './judge-command.ts';
import type { GuardPlace } from './rule.ts';

const place: GuardPlace = { lists: { allow: ['a *'], deny: ['b'], warn: ['c'] }, cwd: '/p', home: '/home/u', root: '/p' };

/** Pieces of shell syntax. */
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

describe('any command line', () => {
  it('gets a verdict', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (pieces) => {
        expect(['allow', 'warn', 'block']).toContain(judgeCommand(pieces.join(''), place).level);
      }),
      { numRuns: 1500, seed: 8 },
    );
  });

  it('of any characters gets a verdict', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (line) => judgeCommand(line, place).level !== undefined),
      { numRuns: 500, seed: 8 },
    );
  });
});

/** The fastest of three runs, to leave out other work of the machine. */
async function leastMs(line: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time += 1) times.push(await cpuMs(() => judgeCommand(line, place)));
  return Math.min(...times);
}

const line = (piece: string, letters: number) => piece.repeat(Math.ceil(letters / piece.length));

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

/**
 * Whether the cost grows with the length and not with its square. Node's compiler or garbage collector can spoil one measurement, so a line has five tries; a
 * quadratic cost fails all of them. Very short times prove nothing.
 */
async function growsInProportion(piece: string, { letters, times, littleMs }: { letters: number; times: number; littleMs: number }): Promise<boolean> {
  for (let round = 0; round < 5; round += 1) {
    const long = await leastMs(line(piece, letters * times));
    if (long < littleMs || long / (await leastMs(line(piece, letters))) < 3 * times) return true;
  }
  return false;
}

describe('a long command line', () => {
  it.each(UGLY)('of %j takes time in proportion to its length', async (piece) => {
    expect(await growsInProportion(piece, { letters: 2_000, times: 8, littleMs: 40 })).toBe(true);
  });
});

deep('the same at six times the length costs half a minute', () => {
  it.each(UGLY)('of 100,000 characters of %j takes time in proportion to its length', { timeout: 120_000 }, async (piece) => {
    expect(await growsInProportion(piece, { letters: 25_000, times: 4, littleMs: 500 })).toBe(true);
  });
});
