import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openReplacer } from './hide-secrets.ts';

describe('replacing any of many texts', () => {
  it('finds each of them at any place', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂'), minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂', 'x'), maxLength: 60 }),
        (values, text) => {
          const replaced = openReplacer(values, 4, '#')(text);
          const expected = oneByOne(values, text);
          expect(replaced).toBe(expected);
        },
      ),
      { seed: 42, numRuns: 2_000 },
    );
  });

  it('does not change a text that contains none of them', () => {
    expect(openReplacer(['secret-1', 'secret-22'], 8, '#')('secret-0 secret-2')).toBe('secret-0 secret-2');
    expect(openReplacer([], 8, '#')('anything')).toBe('anything');
  });
});

/** From the left, the longest first. */
function oneByOne(values: readonly string[], text: string): string {
  const longest = [...values].sort((a, b) => b.length - a.length);
  let replaced = '';
  for (let at = 0; at < text.length; ) {
    const found = longest.find((value) => text.startsWith(value, at));
    replaced += found === undefined ? text[at] : '#';
    at += found?.length ?? 1;
  }
  return replaced;
}
