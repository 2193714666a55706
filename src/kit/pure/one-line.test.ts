import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from './text.ts';

describe('oneLine', () => {
  it.each([
    ['leaves a line as it is', 'a line, with 🙂 and "quotes"', 'a line, with 🙂 and "quotes"'],
    ['joins lines', 'first\r\n\r\n\tsecond\n', 'first second'],
    ['removes terminal control characters', 'red \u001b[31mtext\u0007\u009b', 'red  [31mtext'],
    ['handles the line breaks of Unicode', 'a\u2028b\u2029c\u0085d', 'a b c d'],
    ['returns an empty text for control characters only', '\n\0', ''],
  ])('%s', (_name, text, expected) => {
    expect(oneLine(text)).toBe(expected);
  });

  it('never leaves a character that breaks a line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(oneLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
