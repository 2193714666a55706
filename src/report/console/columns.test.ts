import { describe, expect, it } from 'vitest';
import { columns, cutToColumns } from './look.ts';

describe('the width of a text in columns', () => {
  it.each([
    ['plain', 5],
    ['', 0],
    ['naïve', 5],
    ['nai\u0308ve', 5],
    ['漢字', 4],
    ['✅ ok', 5],
    ['⏸️ later', 8],
    ['👩‍💻', 2],
    ['🇩🇪', 2],
    ['⎿', 1],
  ])('of %j is %d', (text, expected) => {
    expect(columns(text)).toBe(expected);
  });
});

describe('cutting a text to columns', () => {
  it.each([
    ['plain', 3, 'pla'],
    ['plain', 5, 'plain'],
    ['漢字', 3, '漢'],
    ['a👩‍💻b', 2, 'a'],
    ['a👩‍💻b', 3, 'a👩‍💻'],
    ['plain', 0, ''],
  ])('turns %j, cut to %d, into %j', (text, width, expected) => {
    expect(cutToColumns(text, width)).toBe(expected);
  });
});
