import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from './text.ts';

const ESC = '\u001b';

describe('printable text', () => {
  it.each([
    ['a colour', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['a cleared screen', `a${ESC}[2J${ESC}[Hb`, 'ab'],
    ['a window title', `a${ESC}]0;owned${'\u0007'}b`, 'ab'],
    ['a hyperlink', `${ESC}]8;;https://evil.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['a clipboard write that never ends', `a${ESC}]52;c;ZXZpbA==`, 'a'],
    ['a device string', `a${ESC}P1$tq${ESC}\\b`, 'ab'],
    ['a reset', `a${ESC}cb`, 'ab'],
    ['an eight-bit CSI', 'a\u009b31mb', 'ab'],
    ['an incomplete sequence', `a${ESC}[`, 'a'],
    ['NUL and bell', 'a\u0000b\u0007', 'a␀b␇'],
    ['a return that would overwrite the line', 'safe\rEVIL', 'safe␍EVIL'],
    ['backspaces that would overwrite the line', 'ab\b\bcd', 'ab␈␈cd'],
    ['a tab', 'a\tb', 'a    b'],
    ['delete', 'a\u007f', 'a␡'],
    ['a change of text direction', 'a\u202eb', 'a\ufffdb'],
    ['a zero-width space', 'a\u200bb', 'a\ufffdb'],
    ['half a surrogate pair', 'a\ud83d', 'a\ufffd'],
    ['a joined emoji', '👩‍💻', '👩‍💻'],
    ['other scripts', 'naïve 漢字 жук', 'naïve 漢字 жук'],
  ])('makes %s harmless', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('never contains a control character, for any input', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(ESC, '[', ']', '\u009b', '\u0007', '0', ';', 'm', '\\', 'P', ' ', '\n')).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        expect(printable(text)).not.toMatch(/\p{Cc}|\p{Cs}/u);
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});
