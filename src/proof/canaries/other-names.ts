import { hideComments, lineEndOf } from './plant.ts';

/**
 * The same tests with other names and on other lines. Honest work cannot notice that; a source that looks who asks it (the name of the running test, the line
 * that calls it) answers differently. Null if the file itself looks at such things, so that it may be red without anybody's fault.
 */
export function withOtherNames({ path, text, original }: Named, shared: ReadonlySet<string>): string | null {
  if (TELLS.test(original)) return null;
  if (/\.[cm]?[jt]sx?$/.test(path)) return inJavascript(text);
  if (path.endsWith('.py')) return inPython(text, shared);
  if (path.endsWith('.rs')) return inRust(text);
  return path.endsWith('_test.go') ? inGo(text, shared) : null;
}

interface Named {
  readonly path: string;
  readonly text: string;
  /** The file as it is in the tree. */
  readonly original: string;
}

/** The names of tests that other files use too. */
export function sharedNames(texts: readonly string[]): ReadonlySet<string> {
  const uses = texts.flatMap((text) => text.match(USES) ?? []);
  return new Set(uses.flatMap((use) => use.match(NAMES) ?? []));
}

const USES = /\bimport\b\s*(?:\([^)]*\)|.*)|\bTest\w+\(t\)/g;
const NAMES = /\b[Tt]est\w*\b/g;

/** What tests look at that depends on their own names and lines: snapshots and golden files are found by these. */
const TELLS =
  /snapshot|golden|testdata|goldie|cupaloy|approv|currentTestName|testPath|getState\(|\.stack\b|__filename|import\.meta\.(?:url|filename)|\bt\.(?:name|Name\(\))|task\.name|fullTitle|\bthis\.test\b|process\.argv|request\.node|_testMethodName|\.id\(\)|\binspect\b|_getframe|currentframe|traceback|co_name|lineno|runtime\.Caller|regression|depends\s*=|\b(?:line|file|column|module_path)!\(|#\[(?:[^\]]*::)?(?:case|dir_cases|files)\b|thread::current/i;

const BLANK_LINES = 17;
const shift = (text: string, at: number) => `${text.slice(0, at)}${lineEndOf(text).repeat(BLANK_LINES)}${text.slice(at)}`;

const TITLE = /((?<![\w$.])(?:it|test|describe|suite|specify|context)(?:\.\w+)*\s*\(\s*)(['"`])((?:\\.|(?!\2)[^\\\n$])*)\2(?=\s*,)/g;

function inJavascript(text: string): string {
  let count = 0;
  const named = text.replace(TITLE, (_, call: string) => {
    count += 1;
    return `${call}'ralph ${count}'`;
  });
  return shift(named, /^#![^\n]*\n/.exec(named)?.[0].length ?? 0);
}

const PYTHON_TEST = /^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w+)[ \t]*\(/gm;

function inPython(text: string, shared: ReadonlySet<string>): string {
  const named = renamed(text, namesIn(text, PYTHON_TEST), { shared, prefix: 'test_ralph_' });
  return shift(named, /^(?:#[^\n]*\n)*/.exec(named)?.[0].length ?? 0);
}

const GO_TEST = /^func[ \t]+(Test[A-Z_]\w*)[ \t]*\(\w+[ \t]+\*\w+\.T\)/gm;
const GO_CASE = /(\.Run\()"(?:\\.|[^"\\\n])*"(?=,[ \t]*func)/g;
const PACKAGE = /^[ \t]*package[ \t]+\w+[^\n]*\n/m;

function inGo(text: string, shared: ReadonlySet<string>): string {
  let count = 0;
  const named = renamed(text, namesIn(text, GO_TEST), { shared, prefix: 'TestRalph' }).replace(GO_CASE, (_, call: string) => {
    count += 1;
    return `${call}"ralph ${count}"`;
  });
  const clause = PACKAGE.exec(hideComments(named));
  return clause === null ? named : shift(named, clause.index + clause[0].length);
}

const RUST_TEST = /(#\[(?:\w+::)*test\b[^\]\n]*\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+)(\w+)/g;

/** Names that are used elsewhere stay. */
function inRust(text: string): string {
  const names = [...text.matchAll(RUST_TEST)].map(([, , name = '']) => name);
  const free = names.filter((name) => text.split(new RegExp(`\\b${name}\\b`)).length === 2).sort();
  const next = new Map(free.map((name, at) => [name, `ralph_${String(at).padStart(4, '0')}`]));
  return shift(
    text.replace(RUST_TEST, (_, start: string, name: string) => start + (next.get(name) ?? name)),
    0,
  );
}

const namesIn = (text: string, named: RegExp) => [...new Set([...text.matchAll(named)].map(([, name = '']) => name))];

/** In the order of the old names, because some runners go by it. */
function renamed(text: string, names: readonly string[], { shared, prefix }: { readonly shared: ReadonlySet<string>; readonly prefix: string }): string {
  const free = [...names].sort().filter((name) => !shared.has(name));
  const next = new Map(free.map((name, at) => [name, `${prefix}${String(at).padStart(4, '0')}`]));
  return text.replace(NAMES, (word) => next.get(word) ?? word);
}
