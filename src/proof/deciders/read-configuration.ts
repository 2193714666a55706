import { plainGlob } from './globs.ts';
import { findFile, folderOf, type Index, importsOf, isProduct, nameOf, type Repository, readText } from './repository.ts';

/** What is easy to read in a configuration: which files it loads, and which files are tests. */
export interface Configured {
  readonly loads: readonly string[];
  /** Globs relative to the top. */
  readonly tests: readonly string[];
  /** Whether they let a runner run only what has changed, or what was red the last time. */
  readonly choosesTests: boolean;
}

/** Keys whose strings are files that a runner loads before any test. */
const loading =
  /["']?\b(setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|require|import|extends|preset|testEnvironment|testRunner|runner|resolver|reporters?|preload|file|bootstrap|addopts)\b["']?\s*[:=]\s*/g;
const testing = /["']?\b(testMatch|spec|python_files|files|include)\b["']?\s*[:=]\s*/g;
/** `include` and `files` may also mean what is covered or compiled. */
const isAboutTests = (key: string, glob: string) => !/^(?:include|files)$/.test(key) || /test|spec|check/i.test(glob);

/** The configurations of a large monorepo repeat each other; the rest is matched by name. */
const MOST_READ = 200;

/** Reads configurations and those that they load, and combines what they say. */
export async function readConfigurations(paths: readonly string[], repository: Repository, index: Index): Promise<Configured> {
  const open = new Set(paths.filter((path) => readable.test(path)).slice(0, MOST_READ));
  const loads = new Set<string>();
  const tests = new Set<string>();
  const texts: string[] = [];
  // Iterating over a set also visits what is added meanwhile.
  for (const path of open) {
    const text = open.size > 2 * MOST_READ ? null : await readText(repository, path);
    if (text === null) continue;
    texts.push(text);
    const folder = folderOf(path);
    for (const glob of testGlobs(text)) tests.add(folder === '' ? glob : `${folder}/${glob}`);
    for (const loaded of loadedBy(text, folder, index)) {
      loads.add(loaded);
      open.add(loaded);
    }
  }
  return { loads: [...loads], tests: [...tests], choosesTests: texts.some(chooses) };
}

/** Of pytest, in ini or TOML, also over several lines. */
const ADDOPTS = /^[ \t]*addopts[ \t]*=(.*(?:\r?\n[ \t]+\S.*)*)/gm;
/** Of jest. */
const CHOOSES = /\b(?:onlyChanged|onlyFailures|lastCommit)["']?\s*:\s*true\b|\bchangedSince["']?\s*:\s*["']/;

const chooses = (text: string) => CHOOSES.test(text) || [...text.matchAll(ADDOPTS)].some(([, words = '']) => choosesOf(words.split(/[\s'"[\],]+/)));

/** Options of pytest that choose by what has changed or failed. A project may always leave out the slow ones by `-m`: then the others are still all run. */
export const choosesOf = (words: readonly string[]) => words.some((word) => /^--(?:picked|testmon|lf|last-failed)(?:$|=)/.test(word));

const readable = /\.(?:c|m)?[jt]s$|\.json[c5]?$|\.ya?ml$|\.ini$|\.cfg$|\.toml$|(?:^|\/)\.\w+rc$/;

/** A setup file counts wherever it is; a file that is only imported from the sources is source. */
function loadedBy(text: string, folder: string, index: Index): readonly string[] {
  const words = [...text.matchAll(loading)].flatMap((match) => stringsFrom(text, match.index + match[0].length));
  const byKey = words.map((word) => findFile(index, folder, word.replace(/^<rootDir>\/?/, ''))).filter((path) => path !== null);
  return [...importsOf(text, folder, index).filter((path) => !isProduct(path)), ...byKey].filter((path) => nameOf(path) !== 'package.json');
}

function testGlobs(text: string): readonly string[] {
  return [...text.matchAll(testing)].flatMap((match) =>
    stringsFrom(text, match.index + match[0].length)
      .filter((glob) => isAboutTests(match[1] ?? '', glob))
      .flatMap((glob) => plainGlob(glob) ?? [])
      .map((glob) => (match[1] === 'python_files' && !glob.includes('/') ? `**/${glob}` : glob))
      .filter((glob) => /\.\w|[*}]$/.test(glob) && glob !== '**' && glob !== '*'),
  );
}

const list = /^\[(?:[^\]'"]|'[^'\n]*'|"[^"\n]*")*\]/;
const line = /^[^\n]*/;

/** The strings of a value: of a list in brackets, of one string, or the words of an unquoted line. */
function stringsFrom(text: string, start: number): readonly string[] {
  const value = text.slice(start, start + 2_000);
  const piece = (value.startsWith('[') ? list : line).exec(value)?.[0] ?? '';
  const quoted = [...piece.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)].map(([, one, two]) => one ?? two ?? '');
  return quoted.length > 0 ? quoted : piece.split(/\s+/).filter((word) => word !== '');
}
