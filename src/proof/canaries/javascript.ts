import { append, type Bed, baseName, EXPECTED, type Plant, type SplitWord, splitWord } from './plant.ts';

/** Plants two cases that run like the file's own; in a file that `node` runs directly, one throw. */
export function plantInJavascript(bed: Bed): Plant | null {
  const calls = testCalls(bed.text);
  if (runsAsItIs(bed, calls.length > 0)) return plantThrow(bed);
  if (calls.length === 0 && !isNamedTest(bed.path)) return null;
  return plantCases(bed, calls);
}

/** `node --test` counts a file without cases as one case. A helper has another name: a throw in it would fail all files that import it. */
function runsAsItIs({ path, text, runners }: Bed, hasCases: boolean): boolean {
  if (/['"]node:test['"]/.test(text)) return false;
  if (runners.includes('node')) return true;
  return runners.includes('node-test') && !hasCases && isNamedTest(path);
}

const isNamedTest = (path: string) => /(?:[._-](?:test|spec)|^test(?:-.*)?)\.[cm]?[jt]sx?$/.test(baseName(path));

/** Comments that silence linters and compilers, which look at the file before it runs: the code is on the one line that follows. */
const HUSH = ['/* eslint-disable */', '// prettier-ignore', '// @ts-ignore'];

function plantCases({ path, text, runners, token }: Bed, calls: readonly string[]): Plant {
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const plant = `ralph${token()}`;
  const cases = [
    `${plant}('ralph canary ${token()}', () => { throw new Error(${joined(thrown)}); });`,
    `${plant}('ralph canary ${token()}', ${assertingCase(text, runners, joined(asserted))});`,
  ];
  // A block, not an arrow function at the start of the line: a file may end without a semicolon.
  const line = `{ const plantIn = (${plant}) => { ${cases.join(' ')} }; ${chosen(calls, runners)} }`;
  const ownImport = importFor(runners, calls);
  return {
    path,
    text: append(text, [...HUSH, ...ownImport, ...(ownImport.length > 0 ? HUSH.slice(1) : []), line]),
    tokens: [thrown.whole, asserted.whole],
    cases: 2,
  };
}

/** Compilers fold `'a' + 'b'`, but not this. */
const joined = ({ first, second }: SplitWord) => `['${first}', '${second}'].join('')`;

/** The first name that is a function when the file runs: it may be imported, global or the file's own. */
function chosen(calls: readonly string[], runners: readonly string[]): string {
  const names = [...new Set([...calls, 'it', 'test', ...(runners.includes('vitest') ? [OWN] : [])])];
  const last = runners.includes('node-test') ? "import('node:test').then((found) => plantIn(found.test))" : 'undefined';
  return `${names.map((name) => `typeof ${guarded(name)} === 'function' ? plantIn(${name}) : `).join('')}${last};`;
}

/** `typeof` accepts an unknown name, but not a member of one. */
const guarded = (name: string) => (name.includes('.') ? `${name.replace('.', '?.')}` : name);

const OWN = 'ralphOwnTest';

/** For a vitest file that declares its cases with no name that we know. */
function importFor(runners: readonly string[], calls: readonly string[]): readonly string[] {
  if (!runners.includes('vitest')) return [];
  return calls.length > 0 ? [] : [`import { test as ${OWN} } from 'vitest';`];
}

/** A file that `node` runs directly stops at its first throw, so this throw also prints the message of the assertion. */
function plantThrow({ path, text, token }: Bed): Plant {
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const assertion = assertionOf(text, joined(asserted));
  const said = assertion === null ? '' : `try { ${assertion}; } catch (error) { said = String(error); } `;
  const line = `{ let said = ''; ${said}throw new Error(${joined(thrown)} + ' ' + said); }`;
  const planted = endsItself.test(text) ? behindImports(text, [...HUSH, line]) : append(text, [...HUSH, line]);
  return { path, text: planted, tokens: [thrown.whole, ...(assertion === null ? [] : [asserted.whole])], cases: 0 };
}

/** Nothing after such a call runs, and honest scripts have it as their last line. */
const endsItself = /\bprocess\.(?:exit|reallyExit|abort|kill)\(/;
const LOADS = /^(?:import\s.*|\} from ['"].*|(?:const|let|var)\s.*\b(?:require|import)\(.*)$/gm;

/** Behind the imports, so that everything the file loads has run. */
function behindImports(text: string, lines: readonly string[]): string {
  const last = [...text.matchAll(LOADS)].at(-1);
  const at = last === undefined ? (/^#!.*\r?\n/.exec(text)?.[0].length ?? 0) : last.index + last[0].length;
  return `${append(text.slice(0, at), lines)}${text.slice(at)}`;
}

/** A file without an assertion that we know gets a rejected promise, which shows that the runner waits for its cases. */
function assertingCase(text: string, runners: readonly string[], word: string): string {
  if (runners.includes('ava') && /['"]ava['"]/.test(text)) return `(t) => { t.is(${word}, '${EXPECTED}'); }`;
  const assertion = assertionOf(text, word);
  // A file may get its assertion as an argument of each case, which the planted case does not have.
  const unseen = `if (error?.name === 'ReferenceError') throw new Error(${word}); throw error;`;
  if (assertion !== null) return `() => { try { ${assertion}; } catch (error) { ${unseen} } }`;
  if (/\bt\.assert\.\w+\(/.test(text)) return `(t) => { t.assert.strictEqual(${word}, '${EXPECTED}'); }`;
  return `async () => { await null; throw new Error(${word}); }`;
}

interface Assertion {
  /** Its first group is the name with which the file calls it. */
  readonly called: RegExp;
  /** A call that fails and prints the word. */
  readonly failing: (name: string, word: string) => string;
}

/** A call that is not a method of something else. */
const call = (name: string, flags = 'm') => new RegExp(`(?:^|[^.\\w$])(${name})\\s*\\(`, flags);
const COMPARES = 'strictEqual|deepStrictEqual|equal|deepEqual|equals|is';

const compare = (name: string, word: string) => `${name}(${word}, '${EXPECTED}')`;
const refuse = (name: string, word: string) => `${name}(false, ${word})`;
// vitest has both methods, jest the first, chai the second.
const expectation = (name: string, word: string) => `((said) => ('toBe' in said ? said.toBe('${EXPECTED}') : said.to.equal('${EXPECTED}')))(${name}(${word}))`;

const ASSERTIONS: readonly Assertion[] = [
  { called: call('(?:[\\w$]+\\.)?expect'), failing: expectation },
  { called: call(`(?:chai\\.)?[\\w$]*assert[\\w$]*\\.(?:${COMPARES})`, 'im'), failing: compare },
  { called: /(?:^|[^.\w$])(assert)\.\w+\s*\(/m, failing: (name, word) => compare(`${name}.strictEqual`, word) },
  { called: call('assert(?:Strict)?Equals'), failing: compare },
  { called: call('assert'), failing: refuse },
];

/** Names that may mean anything in files that import no assertions. */
const IMPORTED: readonly Assertion[] = [
  { called: call(COMPARES), failing: compare },
  { called: call('ok'), failing: refuse },
];

/** A failing call of the file's own assertion; null if it has none that we know. */
function assertionOf(text: string, word: string): string | null {
  const [alias] = aliasesOf(text, 'expect');
  if (alias !== undefined) return expectation(alias, word);
  const known = /['"][^'"\n]*\bassert\b[^'"\n]*['"]/.test(text) ? [...ASSERTIONS, ...IMPORTED] : ASSERTIONS;
  for (const { called, failing } of known) {
    const name = called.exec(text)?.[1];
    if (name !== undefined) return failing(name, word);
  }
  return /\.should\./.test(text) ? `${word}.should.equal('${EXPECTED}')` : null;
}

const NAMED_IMPORTS = /\b(?:import|const|let|var)\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*(?:from\b|=)/g;
const WHOLE_RUNNER =
  /\b(?:import|const|let|var)\s+(?:\*\s*as\s+)?([\w$]+)\s*(?:,\s*\{[^}]*\}\s*)?(?:from|=\s*require\s*\(|=\s*await\s+import\s*\()\s*['"](?:node:test|ava|vitest|bun:test|mocha)['"]/g;

/** The names with which this file declares its cases; those that it calls with a title come first. */
function testCalls(text: string): readonly string[] {
  const wholes = [...text.matchAll(WHOLE_RUNNER)].map(([, name = '']) => name);
  const members = wholes.flatMap((name) => [name, `${name}.test`, `${name}.it`]);
  const names = ['it', 'test', 'specify', 'Deno.test', ...aliasesOf(text, 'it|test|specify'), ...members];
  const titled = names.filter((name) => calledBy(name, '\\s*\\(\\s*[\'"`]').test(text));
  const called = names.filter((name) => calledBy(name, '\\s*[(`]').test(text));
  return [...new Set([...titled, ...called])];
}

const calledBy = (name: string, then: string) => new RegExp(`(?:^|[^.\\w$])${name.replace(/[.$]/g, '\\$&')}(?:\\.\\w+)*${then}`, 'm');

/** `import { test as t }`, `const { test: t } = require(…)`. */
function aliasesOf(text: string, names: string): readonly string[] {
  const alias = new RegExp(`\\b(?:${names})\\s*(?::|\\bas\\b)\\s*([\\w$]+)`, 'g');
  return [...text.matchAll(NAMED_IMPORTS)].flatMap(([, clause = '']) => [...clause.matchAll(alias)].map(([, name = '']) => name));
}
