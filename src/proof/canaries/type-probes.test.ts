import { expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { typeProbesIn } from './type-probes.ts';

const probe = (text: string, path = 'use.ts') => typeProbesIn({ path, text, token: freshTokens() });
it.each<[string, string, readonly string[]]>([
  ['a named import', "import { add } from './add.js';\nconst sum: number = add(1, (2));", ['add(1, (2))']],
  ['a renamed import, and a method behind it', "import { type A, add as plus } from '../add';\nconst n = plus(1).length;", ['plus(1)']],
  ['a default and a named import', "import one, { two } from './x';\nconst n = [one(), two('a)')];", ['one()', "two('a)')"]],
  ['a name space, and a class', "import * as all from './x';\nimport { C } from './c';\nconst n = [all.f(), new C()];", ['all.f()', 'new C()']],
  ['a type argument', "import { f } from './x';\nconst n = f<number>(1);", ['f<number>(1)']],
  ['a package', "import { f } from 'x';\nconst n = f(1);", []],
  ['a type', "import type { F } from './x';\nconst n = F(1);", []],
  ['a method of the same name, a comment, the start of a line', "import { f } from './x';\nconst n = a.f(1); // f(2)\nf(3);", []],
  ['a call that is not easy to parse', "import { f } from './x';\nconst n = f(1 / 2);", []],
])('a call of %s is probed if the project has its types', (_, text, calls) => {
  const probed = probe(text);
  expect(probed?.probes.length ?? 0).toBe(calls.length);
  for (const call of calls) expect(probed?.text).toContain(`(${call} satisfies `);
});

it('a call stays behind its probe, and no token is in the text', () => {
  const probed = probe("import { f } from './x';\nexport const n: number = f(1);\n");
  expect(probed?.text).toMatch(/^export const n: number = \(f\(1\) satisfies \{ \[K in `\$\{'\w{6}'\}\$\{'\w{6}'\}x0x`\]: 1 \}, f\(1\)\);$/m);
  expect(probed?.probes).toHaveLength(1);
  expect(probed?.text).not.toContain(probed?.probes[0]?.token);
});

it('a line has the same key in another tree, and JavaScript has none', () => {
  const text = "import { f } from './x';\nconst a = f(1);\nconst b = f(2);\n";
  const keys = (of: string) => probe(of)?.probes.map(({ key }) => key);
  expect(keys(`${text}// more\n`)).toEqual(keys(text));
  expect(new Set(keys(text)).size).toBe(2);
  expect(probe(text, 'use.js')).toBeNull();
});
