import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from './shell-words.ts';

describe('splitWords', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    [' \t\r\n ', []],
    ['--model opus', ['--model', 'opus']],
    ["--model opus 'a b'", ['--model', 'opus', 'a b']],
    ['  two   words ', ['two', 'words']],
    ['a\tb\nc', ['a', 'b', 'c']],
    ['"a b" c', ['a b', 'c']],
    ["''", ['']],
    ['a "" b', ['a', '', 'b']],
    ['--flag="a b"', ['--flag=a b']],
    [`a'b'"c"d`, ['abcd']],
    ['a\\ b', ['a b']],
    ['\\"', ['"']],
    [`'it'\\''s'`, ["it's"]],
    [`"it's"`, ["it's"]],
    [`'say "hi"'`, ['say "hi"']],
    ['"say \\"hi\\""', ['say "hi"']],
    [`'a\\b'`, ['a\\b']],
    ['"a\\b"', ['a\\b']],
    ['"a\\\\b"', ['a\\b']],
    ['"\\$HOME \\`x\\`"', ['$HOME `x`']],
    ['$HOME *.ts ~ `x` #y', ['$HOME', '*.ts', '~', '`x`', '#y']],
    ['a | b; c && d', ['a', '|', 'b;', 'c', '&&', 'd']],
    ['a\\\nb', ['ab']],
    ['"a\\\nb"', ['ab']],
    ['größe "🙂 ok"', ['größe', '🙂 ok']],
  ])('of %j is %j', (text, words) => {
    expect(splitWords(text)).toEqual({ kind: 'words', words });
  });

  it.each([
    ["--x 'a b", "'"],
    ['--x "a b', '"'],
    ['"a\\"', '"'],
    ['a\\', '\\'],
    [`'a' "b' c`, '"'],
  ])('of %j is unterminated because of %s', (text, by) => {
    expect(splitWords(text)).toEqual({ kind: 'unterminated', by });
  });

  it('returns quoted words unchanged, for any content', () => {
    const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(splitWords(words.map(quoted).join(' '))).toEqual({ kind: 'words', words });
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
