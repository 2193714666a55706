import { type Index, type Repository, readText } from '../repository.ts';
import { cutImports, type Imported, importedFile, isRelative, type TestFile } from './imports.ts';

/** Words of the changed sources: those that none of them has any more, and those that are new. */
interface Names {
  readonly gaveUp: ReadonlySet<string>;
  readonly tookOn: ReadonlySet<string>;
}

/** What a comparison of tests needs to know about both trees. */
export interface TestWorld {
  readonly base: Index;
  readonly claimed: Index;
  /** Whether no gate is decided by this path. */
  isSource(path: string): boolean;
  names(): Promise<Names>;
  /** Whether a file of the base is identical to this claimed one. */
  isCopy(from: string, to: string): Promise<boolean>;
  /** Whether a source of the base has lost this word. */
  hasLost(path: string, name: string): Promise<boolean>;
}

interface Pair {
  readonly base: TestFile;
  readonly claimed: TestFile;
  readonly world: TestWorld;
}

/**
 * Whether an old test is still the same test: equal, except for imports that follow a moved module, and for names that the sources have renamed one to one.
 * In doubt it is not the same.
 */
export async function isSameTest(base: TestFile, claimed: TestFile, world: TestWorld): Promise<boolean> {
  const before = cutImports({ path: base.path, text: normal(base.text) });
  const after = cutImports({ path: claimed.path, text: normal(claimed.text) });
  const comparison = compare(tokensOf(before.rest, base.path), tokensOf(after.rest, claimed.path));
  if (comparison === null || before.imports.length !== after.imports.length) return false;
  const renamed = [...comparison.names].filter(([one, other]) => one !== other);
  const pair = { base, claimed, world };
  if (renamed.length > 0 && !areRenamed(renamed, await world.names())) return false;
  if (!comparison.texts.every(([one, other]) => isSameText(one, other, pair, comparison.names))) return false;
  return areSameImports(before.imports, after.imports, { ...pair, names: comparison.names });
}

const normal = (text: string) => text.replaceAll('\r\n', '\n');

const slashed = /\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[\p{L}_$][\p{L}\p{N}_$]*|\s+|./gsu;
const hashed = /#[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[\p{L}_$][\p{L}\p{N}_$]*|\s+|./gsu;

const tokensOf = (text: string, path: string): readonly string[] => text.match(/\.(?:py|rb|sh|bats)$/.test(path) ? hashed : slashed) ?? [];

const isWord = (token: string) => /^[\p{L}_$]/u.test(token);
const isText = (token: string) => /^(?:['"].|\/\/|#)/s.test(token);

interface Comparison {
  readonly names: ReadonlyMap<string, string>;
  /** Strings and comments that differ: they are compared once all names are known. */
  readonly texts: readonly (readonly [string, string])[];
}

/** Compares token by token; each name must map to one other name everywhere, in both directions. Null if something else differs. */
function compare(before: readonly string[], after: readonly string[]): Comparison | null {
  if (before.length !== after.length) return null;
  const names = new Map<string, string>();
  const back = new Map<string, string>();
  const texts: (readonly [string, string])[] = [];
  const isPair = (one: string, other: string) => {
    if (!isWord(one) || !isWord(other)) return one === other || (isText(one) && isText(other) && texts.push([one, other]) > 0);
    if (!names.has(one)) names.set(one, other);
    if (!back.has(other)) back.set(other, one);
    return names.get(one) === other && back.get(other) === one;
  };
  return before.every((one, at) => isPair(one, after[at] ?? '')) ? { names, texts } : null;
}

/** Words with which a test asserts, skips or branches: renaming one of these changes the test. */
const telling =
  /^(?:x?(?:it|test|describe|context|suite)|f(?:it|describe)|expect\w*|assert\w*|refute\w*|should\w*|not\w*|to[A-Z]\w*|(?:deep|strict|loose)?[eE]qual\w*|ok|is|match\w*|throws?\w*|rejects|resolves|skip\w*|only|todo|fails?|failing|xfail|pending|raises\w*|true|false|null|undefined|None|True|False|nil|if|else|return|await|async|t|Fatal\w*|Error\w*|Skip\w*|pass|len|length|process|sys|os|exit)$/;

function areRenamed(renamed: readonly (readonly [string, string])[], { gaveUp, tookOn }: Names): boolean {
  return renamed.every(([one, other]) => gaveUp.has(one) && tookOn.has(other) && !telling.test(one) && !telling.test(other));
}

/** A string or a comment may contain the path of the moved module, or the new names. */
function isSameText(one: string, other: string, { base, claimed, world }: Pair, names: ReadonlyMap<string, string>): boolean {
  const [from, to] = [one.slice(1, -1), other.slice(1, -1)];
  if (isRelative(from) && isRelative(to)) {
    const target = importedFile({ name: '', from }, base.path, world.base);
    const now = importedFile({ name: '', from: to }, claimed.path, world.claimed);
    return target !== null && now !== null && (target === now || (!world.claimed.files.has(target) && world.isSource(now) && world.isSource(target)));
  }
  const before = one.match(/[\p{L}_$][\p{L}\p{N}_$]*|./gsu) ?? [];
  const after = other.match(/[\p{L}_$][\p{L}\p{N}_$]*|./gsu) ?? [];
  return before.length === after.length && before.every((token, at) => token === after[at] || (isWord(token) && names.get(token) === after[at]));
}

/** Every name must come from the same file as before, or from one that took it over. Packages must stay the same, because they contain the assertions. */
async function areSameImports(
  before: readonly Imported[],
  after: readonly Imported[],
  pair: Pair & { readonly names: ReadonlyMap<string, string> },
): Promise<boolean> {
  const open = [...after];
  for (const one of before) {
    const name = one.name.replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, (word) => pair.names.get(word) ?? word);
    let at = -1;
    for (const [index, other] of open.entries()) {
      if (at === -1 && other.name === name && (await isSameTarget(one, other, pair))) at = index;
    }
    if (at === -1) return false;
    open.splice(at, 1);
  }
  return true;
}

async function isSameTarget(one: Imported, other: Imported, { base, claimed, world }: Pair): Promise<boolean> {
  const from = importedFile(one, base.path, world.base);
  const to = importedFile(other, claimed.path, world.claimed);
  if (from === null || to === null) return from === to && one.from === other.from;
  if (from === to) return true;
  // A helper may move, but must not change.
  if (!world.isSource(from) || !world.isSource(to)) return !world.claimed.files.has(from) && world.isCopy(from, to);
  return !world.claimed.files.has(from) || world.hasLost(from, one.name.replace(/^\{/, '').replace(/ as .*$/, ''));
}

export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);

/** A change of more files than this is not a rename. */
const MOST_READ = 300;

const code = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|vue|svelte)$/;

interface Changed {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
}

/** The words, including file names, that the changed sources no longer have, and those that are new in them. */
export async function changedNames(changes: readonly Changed[], base: Repository, claimed: Repository): Promise<Names> {
  const sources = changes.filter(({ path }) => code.test(path)).slice(0, MOST_READ);
  const before = await wordsIn(sources, base, 'removed');
  const after = await wordsIn(sources, claimed, 'added');
  return { gaveUp: new Set([...before].filter((word) => !after.has(word))), tookOn: new Set([...after].filter((word) => !before.has(word))) };
}

/** The name of a file counts if the file is added or removed. */
async function wordsIn(changes: readonly Changed[], tree: Repository, named: Changed['kind']): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const { path, kind } of changes) {
    const text = (await readText(tree, path)) ?? '';
    for (const word of wordsOf(kind === named ? `${path} ${text}` : text)) words.add(word);
  }
  return words;
}
