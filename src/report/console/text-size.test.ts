import { describe, expect, it } from 'vitest';
import { textSize } from './look.ts';

describe('the size of a text', () => {
  it.each([
    ['', 0, 0],
    ['a', 1, 1],
    ['a\n', 1, 2],
    ['a\nb', 2, 3],
    ['\n\n', 2, 2],
    ['é🚀x', 1, 3],
    ['🚀🚀', 1, 2],
    ['\ud800', 1, 1],
    ['\ud800\ud800\udc00', 1, 2],
  ])('%j has %d lines and %d chars', (text, lines, chars) => {
    expect(textSize(text)).toEqual({ lines, chars });
  });
});
