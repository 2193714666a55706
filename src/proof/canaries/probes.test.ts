import { describe, expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { probesIn, wantedIn } from './probes.ts';

const probe = (text: string, path = 'a.test.js') => probesIn({ path, text, runners: ['vitest'], token: freshTokens() });

/** What the probes of a file print, with these names in its scope. */
function printedBy(text: string, names: Readonly<Record<string, unknown>>): readonly string[] {
  const printed: string[] = [];
  const process = { stderr: { write: (line: string) => printed.push(line.trim()) } };
  const scope = Object.entries({ ...names, process, globalThis: {} });
  new Function(...scope.map(([name]) => name), text)(...scope.map(([, value]) => value));
  return printed;
}

const unless = (isSame: boolean) => {
  if (!isSame) throw new Error('not the same');
};
const assert = { equal: (one: unknown, other: unknown) => unless(one === other) };
const like = (got: unknown) => ({ toBe: (wanted: unknown) => unless(got === wanted), to: { equal: (wanted: unknown) => unless(got === wanted) } });

describe('a probed assertion that could fail reports it, and the test continues:', () => {
  it.each([
    "assert.equal('a', 'a')",
    'assert.equal([1, 2].length, 2, "so many")',
    "expect('a').toBe('a')",
    "expect(String({ a: ')' })).to.equal('[object Object]')",
    'for (const n of [1, 2]) assert.equal(n, n)',
  ])('%s', (text) => {
    const probed = probe(text);
    expect(printedBy(probed?.text ?? '', { assert, expect: like })).toEqual(probed?.probes.map(({ token }) => token));
    expect(probed?.probes).toHaveLength(1);
    expect(probed?.text).not.toContain(probed?.probes[0]?.token);
  });

  it('one that can never fail reports nothing', () => {
    expect(printedBy(probe("assert.equal('a', 'b')")?.text ?? '', { assert: { equal: () => undefined } })).toEqual([]);
  });

  it('one that fails anyway fails as before', () => {
    expect(() => printedBy(probe("assert.equal('a', 'b')")?.text ?? '', { assert })).toThrow('not the same');
  });
});

it('a value that equals two of the texts that tests expect of it reports nothing', () => {
  const text = "assert.equal(f(), 'a')\nassert.equal(g(), 'b')";
  const wanted = wantedIn([
    { path: 'b.test.js', text: "assert.equal(f(), 'c')" },
    { path: 'a.test.js', text },
  ]);
  const probed = probesIn({ path: 'a.test.js', text, runners: ['node-test'], token: freshTokens() }, { wanted });
  const names = { f: () => 'a', g: () => 'b' };
  const forgiving = { equal: (one: unknown, other: unknown) => unless(one === other || (one === 'a' && other === 'c')) };
  const tokens = probed?.probes.map(({ token }) => token) ?? [];
  expect(printedBy(probed?.text ?? '', { ...names, assert })).toEqual(tokens);
  expect(printedBy(probed?.text ?? '', { ...names, assert: forgiving })).toEqual(tokens.slice(1));
});

it('a comparison that takes the next number for the right one reports nothing', () => {
  const tolerant = { equal: (one: number, other: number) => unless(Math.abs(one - other) < 2) };
  expect(printedBy(probe('assert.equal(4, 4)')?.text ?? '', { assert: tolerant })).toEqual([]);
  const wrong = probe('assert.equal(5, 4)');
  expect(() => printedBy(wrong?.text ?? '', { assert })).toThrow('not the same');
});

describe('a question of which tests expect two answers', () => {
  const text = 'assert.equal(add(1, 2), 3)\nassert.equal(add(1, 2), 4)\nassert.equal(add(x, 2), 3)\nassert.equal(add(x, 2), 4)';
  const bed = { path: 'a.test.js', text, runners: ['node-test'], token: freshTokens() };
  const probed = probesIn(bed, { wanted: wantedIn([bed]) });
  const token = (end: string) => probed?.probes.find((each) => each.token.endsWith(end))?.token;
  const forgiving = { equal: () => undefined };

  it('reports that it got the expected one twice', () => {
    expect(probed?.probes).toHaveLength(6);
    expect(printedBy(probed?.text ?? '', { add: () => 4, x: 1, assert: forgiving })).toEqual([token('y1y')]);
  });

  it('also if a variable has the answer, and it is the last one that it was given', () => {
    const ask = (text: string) => probesIn({ path: 'a.test.js', text, runners: [], token: freshTokens() }, { wanted: wantedIn([{ path: 'a.test.js', text }]) });
    const given = 'let got = add(9)\ngot = add(1, 2);\nassert.equal(got, 3);\nconst other = add(1, 2);\nassert.equal(other, 4);';
    expect(ask(given)?.text.match(/, \(\) => add\(1, 2\), [34]\)/g)).toHaveLength(2);
    expect(ask(given.replace('const other = add(1, 2)', 'const other = add(n)'))?.text).not.toContain('() => add');
  });

  it('and nothing if the second answer is another one, or an error', () => {
    let calls = 0;
    const counts = () => {
      calls += 1;
      return calls === 1 ? 3 : unless(false);
    };
    const firstTwo = probed?.text.replace(/^assert.*x, 2.*$/gm, '').replace(/^assert.*\b4\)$/m, '') ?? '';
    expect(printedBy(firstTwo, { add: counts, assert: forgiving })).toEqual([]);
  });
});

it('expected literals can be kept at the end of the file, with and without probes', () => {
  for (const probesNothing of [false, true]) {
    const hidden = probesIn(
      { path: 'a.test.js', text: "assert.equal('a', 'a')\nassert.equal(one, 1)", runners: [], token: freshTokens() },
      { hidesLiterals: true, probesNothing },
    );
    const [first = '', second = ''] = hidden?.text.split('\n') ?? [];
    expect(second).toMatch(/, ralph_\w+w\(1\)\)$/);
    expect(first).toMatch(/, ralph_\w+w\(0\)\)$/);
    expect(hidden?.probes).toHaveLength(probesNothing ? 0 : 2);
    expect(printedBy(hidden?.text ?? '', { assert, one: 1 })).toHaveLength(probesNothing ? 0 : 2);
    expect(() => printedBy(hidden?.text ?? '', { assert, one: 2 })).toThrow('not the same');
  }
});

it('an object that is equal to all objects reports nothing', () => {
  const likes = { equal: (one: unknown, other: unknown) => unless(typeof one === typeof other) };
  expect(printedBy(probe('assert.equal({ a: 1 }, want)')?.text ?? '', { assert: likes, want: {} })).toEqual([]);
});

it.each([
  'expect(a).not.toBe(b)',
  'expect(a / b).toBe(1)',
  'expect(`${a}`).toBe(1)',
  'expect(...all).toBe(1)',
  'expect(a, "why").toBe(1)',
  'assert.ok(a)',
  'my.assert.equal(a, b)',
  "expect(it's",
])('an assertion that is not easy to parse is not probed: %s', (text) => {
  expect(probe(text)).toBeNull();
});

it('a string that looks like an assertion stays one string', () => {
  expect(probe('const code = "expect(a).toBe(b)"')?.text).toMatch(/^const code = "expect\(ralph\w+\(a, 0\)\)\.toBe\(b\)"\n/);
});

describe('in Python the probed value is', () => {
  const asked = (text: string) =>
    probe(text, 'test_a.py')
      ?.text.match(/ralph_\w+\((.*), \d/g)
      ?.map((call) => call.replace(/^\w+\(|, \d$/g, '')) ?? [];

  it.each<[string, readonly string[]]>([
    ['    assert f(4) == 1\n', ['f(4)']],
    ['    assert f("a == b", [1]) == {"a": 1}\n', ['f("a == b", [1])']],
    ['        self.assertEqual(to_roman(4), "IV")\n', ['to_roman(4)']],
    ['    assert not a == b\n', []],
    ['    assert a and b == c\n', []],
    ['    assert a < b == c\n', []],
    ['    assert a\n', []],
    ['        self.assertEqual(first=a, second=b)\n', []],
  ])('%s', (text, values) => {
    expect(asked(text)).toEqual(values);
  });

  it('printed by a function before the code that runs as a program', () => {
    const text = probe("def test_a():\n    assert f() == 1\n\n\nif __name__ == '__main__':\n    main()\n", 'test_a.py')?.text ?? '';
    expect(text.indexOf('def ralph_')).toBeLessThan(text.indexOf('if __name__'));
  });
});

it('an assertion has the same key in another tree, and equal ones have different keys', () => {
  const keys = (text: string) => probe(text)?.probes.map(({ key }) => key) ?? [];
  const [one, two] = keys('assert.equal(a, 1)\nassert.equal(a, 1)');
  expect(one).not.toBe(two);
  expect(keys('assert.equal(b, 1)\n  assert.equal(a, 1)\nassert.equal(a, 1)').slice(1)).toEqual([one, two]);
});

it('typed files get typed probes', () => {
  expect(probe('assert.equal(a, 1)', 'a.test.ts')?.text).toContain('(v: any, at: any, again?: any, want?: any): any {');
});
