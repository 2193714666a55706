import { describe, expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { plantInJavascript } from './javascript.ts';

const plant = (text: string, runners: readonly string[] = ['mocha'], path = 'a.test.js') => plantInJavascript({ path, text, runners, token: freshTokens() });

type Case = () => unknown;

/** Runs a file without imports, with these names in its scope, and returns what its planted cases throw. */
async function failuresOf(text: string, names: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const cases: Case[] = [];
  const collect = (title: string, run: Case) => title.startsWith('ralph canary') && cases.push(run);
  const runner = Object.assign(collect, { each: () => () => undefined });
  const scope = Object.entries(names).map(([name, value]) => [name, value === 'a runner' ? runner : value] as const);
  new Function(...scope.map(([name]) => name), text)(...scope.map(([, value]) => value));
  return await Promise.all(
    cases.map((run) =>
      Promise.resolve()
        .then(run)
        .then(String, (error: Error) => error.message),
    ),
  );
}

const saysBoth = (got: unknown, wanted: unknown) => {
  throw new Error(`${got} is not ${wanted}`);
};
const jestExpect = (got: unknown) => ({ toBe: (wanted: unknown) => saysBoth(got, wanted) });
const chaiExpect = (got: unknown) => ({ to: { equal: (wanted: unknown) => saysBoth(got, wanted) } });
const onlyItsMessage = (_is: unknown, message: string) => {
  throw new Error(message);
};

describe('two failing cases are planted with the names that the file uses', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>]>([
    ['it and expect of jest', "it('x', () => expect(1).toBe(1))", { it: 'a runner', expect: jestExpect }],
    ['test and expect of chai', "test('x', () => expect(1).to.equal(1))", { test: 'a runner', expect: chaiExpect }],
    ['cases in a table', "test.each([1])('x', (n) => expect(n).toBe(1))", { test: 'a runner', expect: jestExpect }],
    ['an assert with members', "it('x', () => assert.deepEqual(1, 1))", { it: 'a runner', assert: { deepEqual: saysBoth } }],
    ['an assert with members of other kinds', "it('x', () => assert.throws(y))", { it: 'a runner', assert: { strictEqual: saysBoth } }],
    ['an assert that is called', "it('x', () => assert(true))", { it: 'a runner', assert: onlyItsMessage }],
    ['named assertions', "// 'assert'\nit('x', () => ok(true))", { it: 'a runner', ok: onlyItsMessage }],
    ['specify', "specify('x', () => expect(1).toBe(1))", { specify: 'a runner', expect: jestExpect }],
    ['no assertion', "it('x', () => {})", { it: 'a runner' }],
    ['an assertion that only its cases see', "it('x', ({ expect }) => expect(1).toBe(1))", { it: 'a runner' }],
    ['a function of its own that is named test', "function test(n) { return n.x }\nit('x', () => test({}))", { it: 'a runner' }],
  ])('%s', async (_what, text, names) => {
    const planted = plant(text);
    const failures = await failuresOf(planted?.text ?? '', names);
    expect(failures.map((said) => said.split(' ')[0])).toEqual(planted?.tokens);
    expect(planted?.tokens.some((token) => planted.text.includes(token))).toBe(false);
  });

  it.each([
    ["import { test as t } from 'node:test';\nt('x', () => {})", "typeof t === 'function' ? plantIn(t)"],
    ["const { it: spec } = require('node:test');\nspec('x', () => {})", "typeof spec === 'function' ? plantIn(spec)"],
    ["import run from 'node:test';\nrun('x', () => {})", "typeof run === 'function' ? plantIn(run)"],
    ["import * as nt from 'node:test';\nnt.test('x', () => {})", "typeof nt?.test === 'function' ? plantIn(nt.test)"],
    ["Deno.test('x', () => {})", 'plantIn(Deno.test)'],
    ["import { suite } from 'node:test';\nsuite('x', () => {})", "import('node:test').then("],
  ])('%s', (text, call) => {
    expect(plant(text, ['node-test'])?.text).toContain(call);
  });

  it('and import test for a vitest file whose cases have another name', () => {
    expect(plant("import { scenario } from './own';\nscenario('x', () => {})", ['vitest'])?.text).toContain("import { test as ralphOwnTest } from 'vitest';");
  });

  it("and use ava's own assertion", () => {
    expect(plant("import test from 'ava'\ntest('x', t => t.pass())", ['ava'])?.text).toMatch(/\(t\) => \{ t\.is\(\['\w{6}', '\w{6}'\]\.join\(''\), 'RALPH'\)/);
  });
});

describe('the end of a file', () => {
  it.each(["it('x', y)", "it('x', y) // end", "it('x', y)\n/* end */", "#!/usr/bin/env node\nit('x', y)\n"])('stays before the plants: %j', (text) => {
    expect(plant(text)?.text.startsWith(`${text.trimEnd()}\n/* eslint-disable */\n`)).toBe(true);
  });

  it('determines the line ends of the plants', () => {
    expect(plant("it('x', y)\r\n")?.text.replaceAll('\r\n', '')).not.toContain('\n');
  });
});

describe('a planted file that node runs directly', () => {
  it('throws, and prints the message of its assertion', () => {
    const planted = plant('assert.equal(1, 1)', ['node'], 'check.js');
    const assert = { equal: (one: unknown, other: unknown) => (one === other ? undefined : saysBoth(one, other)) };
    expect(() => new Function('assert', planted?.text ?? '')(assert)).toThrow(`${planted?.tokens[0]} Error: ${planted?.tokens[1]} is not RALPH`);
    expect(planted?.cases).toBe(0);
  });

  it('has cases if it imports node:test', () => {
    expect(plant("import test from 'node:test'\ntest('x', () => {})", ['node'])?.cases).toBe(2);
  });

  it('counts as a single case for node --test', () => {
    expect(plant("import './x.js'", ['node-test'])).toMatchObject({ cases: 0 });
  });
});

it('nothing is planted in a helper, because all files that import it would fail', () => {
  for (const runner of ['node-test', 'vitest', 'jest']) expect(plant('export const one = /x/.test("x")', [runner], 'test/helper.js')).toBeNull();
});

describe('a script that node runs directly, and that ends itself', () => {
  const linesOf = (text: string) => plant(text, ['node'], 'check.mjs')?.text.split('\n') ?? [];
  const thrownAt = (lines: readonly string[]) => lines.findIndex((line) => line.includes('throw new Error'));

  it.each([
    ["import { a } from './a.js';\nimport {\n  b,\n} from './b.js';\nprocess.exit(a(b) ? 0 : 1);\n", './b.js'],
    ["const { a } = require('./a.js');\ntry { a(); } finally { process.exit(process.exitCode); }\n", './a.js'],
    ['#!/usr/bin/env node\nprocess.exit(0);\n', '#!'],
  ])('throws after its imports and before it ends: %j', (text, loads) => {
    const lines = linesOf(text);
    expect(thrownAt(lines)).toBeGreaterThan(lines.findIndex((line) => line.includes(loads)));
    expect(thrownAt(lines)).toBeLessThan(lines.findIndex((line) => /process\.exit\(/.test(line)));
  });
});
