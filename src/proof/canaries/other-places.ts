import { folderOf, isWithin, nameOf } from '../deciders/repository.ts';
import type { Bed } from './plant.ts';

type TestFile = Pick<Bed, 'path' | 'text'>;

interface Tree extends Pick<Bed, 'token'> {
  /** All of its files. */
  readonly paths: readonly string[];
}

/**
 * Where the copies of tests go that expect different answers to the same question: each to the place of the other one. Honest work cannot notice that; a source
 * that looks from where it is asked (the test file, its folder, the command line) answers differently. In Go, where a package cannot be put into the folder of
 * another one, a folder with nothing but tests gets another name.
 */
export function otherPlaces(files: readonly TestFile[], { paths, token }: Tree): ReadonlyMap<string, string> {
  const open = files.filter(
    (file) => !KEEPS.test(file.path) && !LOOKS.test(file.text) && !files.some((other) => other !== file && names(other.text, file.path)),
  );
  const tests = new Set(open.map(({ path }) => path));
  const places = new Map<string, string>();
  for (const pair of contradictions(open)) {
    if (!pair.some((path) => places.has(path))) for (const [from, to] of movesOf(pair, { paths, token, tests })) places.set(from, to);
  }
  return places;
}

type Pair = readonly [string, string];

function movesOf([one, other]: Pair, { paths, token, tests }: Tree & { readonly tests: ReadonlySet<string> }): Iterable<Pair> {
  const [mine, theirs] = [folderOf(one), folderOf(other)];
  if (mine === theirs) return new Map(endingOf(one) === endingOf(other) ? [[one, other] as const, [other, one] as const] : []);
  const isOfTests = (folder: string) => folder !== '' && paths.every((path) => !isWithin(path, folder) || tests.has(path));
  const folder = one.endsWith('.go') && other.endsWith('.go') ? [mine, theirs].find(isOfTests) : undefined;
  const next = `${folder?.slice(0, -nameOf(folder).length)}ralph${token()}`;
  return folder === undefined ? [] : paths.filter((path) => isWithin(path, folder)).map((path) => [path, next + path.slice(folder.length)]);
}

/** Go compiles these only on some systems. */
const KEEPS =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|unix|windows|wasm|wasip1|386|amd64|arm|arm64)_test\.go$/;
/** Tests that find something by their own name; their folder stays. */
const LOOKS = /\bdatadir\b|__file__[\s\S]*(?:\.stem\b|\.with_|splitext|basename)/;

const endingOf = (path: string) => nameOf(path).slice(nameOf(path).indexOf('.'));

/** Whether a test imports another one. */
function names(text: string, path: string): boolean {
  const name = nameOf(path).replace(/\..*$/, '');
  return new RegExp(`\\b(?:import|from|require|mod)\\b[^\\n]*\\b${name.replace(/[^\w]/g, '\\$&')}\\b`).test(text);
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
function contradictions(files: readonly TestFile[]): readonly Pair[] {
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
