import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duplicateKey } from './json-objects.ts';

describe('duplicateKey', () => {
  it.each([
    ['{"a": 1, "a": 2}', 'a'],
    ['{"a": {"b": 1, "c": [], "b": 2}}', 'b'],
    ['[{"a": 1}, {"a": 1, "a": 1}]', 'a'],
    ['{"a": {"a": 1}, "b": {"a": 1}, "a": 1}', 'a'],
    ['{"\\u0061": 1, "a": 2}', 'a'],
    ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
    ['{"": 1, "": 2}', ''],
    ['{"a\\"b": 1, "a\\"b": 2}', 'a"b'],
  ])('finds it in %s', (json, key) => {
    expect(duplicateKey(json)).toBe(key);
  });

  it.each([
    '{}',
    '[]',
    'null',
    '"a"',
    '{"a": "b", "b": "a"}',
    '{"a": ["a", "a"]}',
    '{"a": "\\"a\\": 1, \\"a\\": 2"}',
    '{"a": "\\\\", "b": "{"}',
    '[{"a": 1}, {"a": 1}]',
  ])('finds none in %s', (json) => {
    expect(duplicateKey(json)).toBeNull();
  });

  it('finds none in anything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(duplicateKey(JSON.stringify(value, null, indent))).toBeNull();
      }),
      { seed: 42, numRuns: 500 },
    );
  });

  it('reads megabytes', () => {
    expect(duplicateKey(JSON.stringify({ a: 'x"\\'.repeat(2_000_000), b: 1 }))).toBeNull();
  });
});
