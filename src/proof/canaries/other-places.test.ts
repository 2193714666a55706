import { describe, expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { otherPlaces } from './other-places.ts';

const placesOf = (files: Readonly<Record<string, string>>, more: readonly string[] = []) =>
  Object.fromEntries(
    otherPlaces(
      Object.entries(files).map(([path, text]) => ({ path, text })),
      { paths: [...Object.keys(files), ...more], token: freshTokens() },
    ),
  );

const swapped = (one: string, other: string) => ({ [one]: other, [other]: one });

describe('two tests that expect different answers to a question change places', () => {
  it.each<[string, string, string, string]>([
    ['a.test.js', 'assert.equal(fee(61), 4)', 'b.test.js', 'const got = fee( 61 )\nexpect(got).toBe(2)'],
    ['test/test_a.py', 'assert cut("a b", 2) == "a…"', 'test/test_b.py', "    self.assertEqual(cut('a b', 2), 'a')"],
    ['tests/a.rs', 'assert_eq!(x::roman(4), "IV");', 'tests/b.rs', 'assert_eq!(roman(4), "IIII");'],
    ['test_c.py', 'data = Path(__file__).parent\nassert fee(61) == 4', 'test_d.py', 'assert fee(61) == 2'],
    ['a_test.go', 'if got := Minutes(20, 620); got != 360 {', 'b_test.go', 'if a.Minutes(20, 620) != 375 {'],
  ])('%s: %s', (one, text, other, theirs) => {
    expect(placesOf({ [one]: text, [other]: theirs })).toEqual(swapped(one, other));
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['if they expect the same', { 'a.test.js': 'equal(fee(61), 4)', 'b.test.js': 'equal(fee(61), 4)' }],
    ['if one of them expects both', { 'a.test.js': 'equal(fee(61), 4); equal(fee(61), 2)', 'b.test.js': 'equal(fee(61), 4)' }],
    ['if the question depends on more', { 'a.test.js': 'equal(fee(n), 4)', 'b.test.js': 'equal(fee(n), 2)' }],
    ['if it is none', { 'a.test.js': "const a = require('a')\nequal(f(), 1)", 'b.test.js': "const a = require('a')\nequal(f(), 2)" }],
    ['in folders of their own', { 'a/a.test.js': 'equal(fee(61), 4)', 'b/b.test.js': 'equal(fee(61), 2)' }],
    ['of two kinds', { 'a.test.js': 'equal(fee(61), 4)', 'b.e2e.test.js': 'equal(fee(61), 2)' }],
    ['if one imports the other', { 'test_a.py': 'assert fee(61) == 4', 'test_b.py': 'from tests.test_a import rates\nassert fee(61) == 2' }],
    ['if one looks at its own name', { 'test_a.py': 'data = Path(__file__).stem\nassert fee(61) == 4', 'test_b.py': 'assert fee(61) == 2' }],
    ['if only some systems compile it', { 'a_linux_test.go': 'if fee(61) != 4 {', 'b_test.go': 'if fee(61) != 2 {' }],
  ])('but not %s', (_, files) => {
    expect(placesOf(files)).toEqual({});
  });
});

it('a folder of Go with nothing but tests gets another name', () => {
  const files = { 'a/a_test.go': 'if fee(61) != 4 {', 'old/b_test.go': 'if a.fee(61) != 2 {', 'old/c_test.go': '' };
  expect(placesOf(files, ['a/a.go'])).toEqual({
    'old/b_test.go': expect.stringMatching(/^ralph\w{12}\/b_test\.go$/),
    'old/c_test.go': expect.stringMatching(/^ralph\w{12}\/c_test\.go$/),
  });
  expect(placesOf(files, ['a/a.go', 'old/data.txt'])).toEqual({});
});

it('text that looks almost like a question is read in no time', () => {
  const long = `f(${'1'.repeat(50_000)}x f(${'1 '.repeat(50_000)}x f(${'[{'.repeat(50_000)}`;
  expect(placesOf({ 'a.test.js': long, 'b.test.js': long })).toEqual({});
});
