import { describe, expect, it } from 'vitest';
import { formatBytes, parseBytes } from './amounts.ts';

describe('parseBytes', () => {
  it.each([
    ['4GiB', 4_294_967_296],
    ['4 gib', 4_294_967_296],
    ['64MB', 64_000_000],
    ['64MiB', 67_108_864],
    ['1kB', 1000],
    ['1KiB', 1024],
    ['1K', 1024],
    ['2G', 2_147_483_648],
    ['1TB', 1_000_000_000_000],
    ['1.5KiB', 1536],
    ['512', 512],
    ['512B', 512],
    [1024, 1024],
    [0, 0],
    ['0', 0],
    ['off', 0],
  ])('of %j is %d', (value, expected) => {
    expect(parseBytes(value)).toBe(expected);
  });

  it.each(['', 'GiB', '-1GiB', '4XB', '4GiBs', '4 G B', '1e9', '4ib', '9'.repeat(40), '999999999999999TiB', Number.NaN, -1, 1.5])('of %j is null', (value) => {
    expect(parseBytes(value)).toBeNull();
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [1_048_575, '1 MiB'],
    [67_108_864, '64 MiB'],
    [64_000_000, '61 MiB'],
    [4_294_967_296, '4 GiB'],
    [5 * 1024 ** 5, '5120 TiB'],
  ])('of %d is %s', (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected);
  });

  it.each([512, 1536, 64 * 1024 ** 2, 4 * 1024 ** 3])('of %d can be parsed back', (bytes) => {
    expect(parseBytes(formatBytes(bytes))).toBe(bytes);
  });
});
