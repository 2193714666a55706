import { folderOf, isWithin, nameOf } from '../deciders/repository.ts';

interface TestFile {
  readonly path: string;
  readonly text: string;
}

interface Tree {
  /** All of its files. */
  readonly paths: readonly string[];
  readonly token: () => string;
}

/**
 * Where the copies of tests go that expect different answers to the same question: each to the place of the other one. Honest work cannot notice that; a source
 * that looks from where it is asked (the test file, its folder, the command line) answers differently. In Go, where a package cannot be put into the folder of
 * another one, a folder with nothing but tests gets another name.
 */
export function otherPlaces(files: readonly TestFile[], { paths, token }: Tree): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const open = files.filter(
    ({ path, text }) => !KEEPS.test(path) && !LOOKS.test(text) && !files.some((other) => other.path !== path && names(other.text, path)),
  );
  for (const [one, other] of contradictions(open)) {
    if (places.has(one) || places.has(other)) continue;
    if (folderOf(one) === folderOf(other)) {
      if (endingOf(one) !== endingOf(other)) continue;
      places.set(one, other).set(other, one);
    } else if (one.endsWith('.go') && other.endsWith('.go')) renameFolder([one, other], { open, paths, places, token });
  }
  return places;
}

/** Go compiles these only on some systems. */
const KEEPS =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|unix|windows|wasm|wasip1|386|amd64|arm|arm64)_test\.go$/;
/** Tests that find something by their own place. */
const LOOKS = /__file__|\bdatadir\b|\bfile!\(|__dirname|import\.meta\.dirname/;

const endingOf = (path: string) => nameOf(path).slice(nameOf(path).indexOf('.'));

/** Whether a test imports another one. */
function names(text: string, path: string): boolean {
  const name = nameOf(path).replace(/\..*$/, '');
  return new RegExp(`\\b(?:import|from|require|mod)\\b[^\\n]*\\b${name.replace(/[^\w]/g, '\\$&')}\\b`).test(text);
}

function renameFolder(pair: readonly string[], { open, paths, places, token }: Tree & Moving): void {
  const tests = new Set(open.map(({ path }) => path));
  const folder = pair.map(folderOf).find((each) => each !== '' && paths.every((path) => !isWithin(path, each) || (tests.has(path) && !places.has(path))));
  if (folder === undefined) return;
  const above = folderOf(folder);
  const next = `${above === '' ? '' : `${above}/`}ralph${token()}`;
  for (const path of paths) if (isWithin(path, folder)) places.set(path, next + path.slice(folder.length));
}

interface Moving {
  readonly open: readonly TestFile[];
  readonly places: Map<string, string>;
}

const LITERAL = `'[^'\\\\\\n]*'|"[^"\\\\\\n]*"|-?\\d+(?:\\.\\d+)?`;
const WORD = 'true|false|null|nil|undefined|True|False|None|[A-Za-z_]\\w*(?=\\s*[:=])';
const BETWEEN = '[\\s,:=[\\]{}]';
/** A call with nothing but literals, and the literal that follows. */
const ASKED = new RegExp(
  `(?<![\\w$])([A-Za-z_$][\\w$]*)(\\(${BETWEEN}*(?:(?:${LITERAL}|${WORD})(?:${BETWEEN}+|(?=\\))))*\\))(?=[^'"\\d]{0,80}?(${LITERAL}))`,
  'g',
);
const NO_QUESTION = /^(?:describe|it|test|suite|context|specify|require|import|expect|assert\w*|to[A-Z]\w*|equals?|strictEqual|deepEqual|\w*print\w*)$/i;
const MOST_FILES = 20;

/** Pairs of files that expect different answers to a question. */
function contradictions(files: readonly TestFile[]): readonly (readonly [string, string])[] {
  const asked = new Map<string, Map<string, Set<string>>>();
  for (const { path, text } of files) {
    for (const [, name = '', words = '', answer = ''] of text.matchAll(ASKED)) {
      if (NO_QUESTION.test(name) || !/['"\d]/.test(words)) continue;
      const question = plain(name + words.replace(/\s+/g, ''));
      const answers = asked.get(question) ?? new Map<string, Set<string>>();
      asked.set(question, answers.set(path, (answers.get(path) ?? new Set()).add(plain(answer))));
    }
  }
  return [...asked.values()].flatMap((answers) => {
    const all = [...answers].slice(0, MOST_FILES);
    return all.flatMap(([one, own], at) =>
      all.slice(at + 1).flatMap(([other, theirs]) => ([...own].some((each) => theirs.has(each)) ? [] : [[one, other] as const])),
    );
  });
}

const plain = (text: string) => text.replaceAll('"', "'");
