import { isProduct, nameOf } from '../repository.ts';
import { isJavascript } from './modules.ts';

/** A file that imports a module. */
export interface User {
  readonly path: string;
  readonly text: string;
  /** The names under which it knows the module, and what it knows from other files of the tree. */
  names(): { readonly own: readonly string[]; readonly others: readonly string[] };
}

export const stemOf = (path: string) => nameOf(path).replace(/(?:\.d)?\.\w+$/, '');

/** `add.test.js`, `test_add.py` and `add_test.go` test the unit `add`. */
export const unitOf = (path: string) =>
  stemOf(path)
    .replace(/^tests?[_-]|[._-](?:tests?|specs?)(?:-d)?$/i, '')
    .replace(/(?:Test|Spec)s?$/, '');

const ofTests =
  /^(?:(?:unit|e2e)?[-_]?tests?(?:ing)?[-_]?(?:utils?|helpers?|support|kit|lib|data|cases|fixtures?|doubles?|setup)?|fixtures?|mocks?|stubs?|fakes?|assertions?)$/i;
const likeTests = /^(?:support|helpers?|harness|assert(?:ions?|s)?|check(?:s|ing|er)?|expect(?:ed|ations?)?|matchers?|verif(?:y|ier)|cases|golden)$/i;
const wordsOf = (path: string) => path.split('/').map((part) => part.replace(/\.\w+$/, ''));

/** Product folders have helpers for themselves, so there only clear names count. */
const isNamedSo = (path: string) => wordsOf(path).some((word) => ofTests.test(word) || (!isProduct(path) && likeTests.test(word)));

const testLibrary =
  /["'](?:vitest|@jest\/globals|chai|expect|should|power-assert|uvu\/assert|tape|@japa\/[\w-]+|node:test|@playwright\/test|testing)["']|^\s*(?:import|from)[ \t]+(?:unittest|pytest|nose|hamcrest|assertpy)\b/m;
const judges = /\bthrow\b|\braise\b|\bassert\w*|\bAssertionError\b|\bprocess\.exit|\bsys\.exit|\bexpect\s*\(|\bt\.(?:Fatal|Error)/;
const hasFunctions = /\bfunction\b|=>|\bclass\b|\bdef\b|\blambda\b|\bfunc\b/;

/** Whether a module that nothing but tests imports judges the work, rather than being the work. */
export function isHelper(path: string, text: string, users: readonly User[]): boolean {
  if (testLibrary.test(text)) return true;
  if (path.endsWith('.go')) return false;
  if (isNamedSo(path)) return judges.test(text) || !hasFunctions.test(text);
  if (hasFunctions.test(text)) return judges.test(text) && isOnlyCalled(users);
  return !isProduct(path) && /[[{(]/.test(text);
}

/** Whether tests call it for no value, with a value of something else: `same(add(1, 2), 3)`. */
function isOnlyCalled(users: readonly User[]): boolean {
  const uses = users.flatMap((user) => {
    const { own, others } = user.names();
    return own.flatMap((name) => usesOf(name, user, others));
  });
  return uses.some((use) => use === 'judges') && uses.every((use) => use !== 'value');
}

type Use = 'judges' | 'called' | 'value';

const importLine = /^\s*(?:import|from|export)\b|\brequire\s*\(/;
const provoked = /(?:throws?|rejects?|raises|Throws?|Raises|expect|resolves)\w*\s*\(?[^;]*$/i;

function usesOf(name: string, { path, text }: User, others: readonly string[]): readonly Use[] {
  const named = wordIn(name);
  const start = isJavascript(path) ? /(?:^|[;{)]|=>)\s*(?:await\s+)?$/ : /(?:^|;|:)\s*(?:await\s+)?$/;
  const lines = text.split('\n');
  const useAt = (at: number, from: number): Use => {
    const line = lines[at] ?? '';
    const before = line.slice(0, from);
    const call = /^(?:\.\w+)*\s*\((.*)/.exec(line.slice(from + name.length));
    if (call === null || !start.test(before) || provoked.test(before) || /raises|throws/i.test(lines[at - 1] ?? '')) return 'value';
    const given = call[1]?.trim() || (lines[at + 1] ?? '');
    return given.includes(',') && others.some((other) => given.search(wordIn(other)) !== -1) ? 'judges' : 'called';
  };
  const asked = lines.map((line, at) => ({ line, at })).filter(({ line }) => !importLine.test(line) && line.length < 1_000);
  return asked.flatMap(({ line, at }) => [...line.matchAll(named)].map(({ index }) => useAt(at, index)));
}

const wordIn = (word: string) => new RegExp(`(?<![\\w$.'"])${word.replaceAll('$', '\\$')}(?![\\w$'"])`, 'g');
