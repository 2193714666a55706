import { describe, expect, it } from 'vitest';
import { shorten } from './look.ts';

describe('shortening a text', () => {
  it.each([
    ['this is a longer string', 10, 'this is...'],
    ['first\nsecond', 20, 'first'],
    ['first\r\nsecond', 20, 'first'],
    ['short', 10, 'short'],
    ['exactly 10', 10, 'exactly 10'],
    ['', 10, ''],
    ['🚀🚀🚀🚀🚀🚀', 6, '🚀🚀🚀🚀🚀🚀'],
    ['🚀🚀🚀🚀🚀🚀🚀', 6, '🚀🚀🚀...'],
  ])('turns %j within %d into %j', (text, maximum, expected) => {
    expect(shorten(text, maximum)).toBe(expected);
  });
});
