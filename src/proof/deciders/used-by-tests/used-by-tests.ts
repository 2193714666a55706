import type { GateSight } from '../look-at-gate.ts';
import { folderOf, foldersAbove, type Index, indexOf, isProduct, nameOf, type Repository, readText } from '../repository.ts';
import { dataNamedBy, mayBeTestData, mayRead } from './data-names.ts';
import { isHelper, stemOf, type User, unitOf } from './helper-signs.ts';
import { isCode, namesOf, targetsOf } from './modules.ts';

/** More are not read: a project with more tests names its helpers by their folder. */
const MOST_TESTS = 3_000;
const MOST_SOURCES = 5_000;
/** A test uses a helper, that one another, and so on. */
const DEEPEST = 4;

interface Read {
  readonly path: string;
  readonly text: string;
}

interface Search {
  readonly wanted: readonly string[];
  /** The wanted files that can be data of tests. */
  readonly data: readonly string[];
  readonly repository: Repository;
  readonly index: Index;
  readonly isDecided: (path: string) => boolean;
  /** The units that tests are named after, and what packages name as their own: the product, whoever imports it. */
  readonly units: ReadonlySet<string>;
}

/**
 * Which of these files, all of which no other rule calls a decider, are part of the tests although they are in no folder for tests: modules that judge and
 * that only tests import, and data that tests name and no source does. Costs nothing if none of them can be such a file.
 */
export async function usedByTests(wanted: readonly string[], sights: readonly GateSight[], repository: Repository): Promise<ReadonlySet<string>> {
  const whatOf = remembered((path) => mostOf(sights.map((sight) => sight.decides(path))));
  const isDecided = (path: string) => whatOf(path) !== null;
  const maybe = wanted.filter((path) => (mayBeTestData(path) || isCode(path)) && !isDecided(path));
  const isOfTests = (path: string) => isCode(path) && (whatOf(path) === 'test' || (isSetup(path) && isDecided(path)));
  const tests = maybe.length === 0 ? [] : repository.paths.filter(isOfTests).slice(0, MOST_TESTS);
  if (tests.length === 0) return new Set();
  const run = tests.filter((path) => sights.some((sight) => sight.isRun(path) || sight.specs.includes(path)));
  const units = new Set([...run.map(unitOf), ...(await entriesOf(repository))]);
  const data = maybe.filter((path) => mayBeTestData(path) && ![path, ...foldersAbove(path)].some((each) => units.has(each)));
  const search: Search = { wanted: maybe, data, repository, index: indexOf(repository.paths), isDecided, units };
  const found = await follow(search, await readAll(tests, repository));
  return found.size === 0 ? found : await withoutProduct(search, found, new Set(tests));
}

type What = ReturnType<GateSight['decides']>;

const isSetup = (path: string) => /(?:^|\/)(?:conftest\.py|[\w.-]*setup[\w.-]*\.[cm]?[jt]s)$/i.test(path);
const mostOf = (all: readonly What[]): What => (all.includes('test') ? 'test' : (all.find((what) => what !== null) ?? null));

function remembered(ask: (path: string) => What): (path: string) => What {
  const known = new Map<string, What>();
  return (path) => {
    const what = known.get(path) ?? ask(path);
    known.set(path, what);
    return what;
  };
}

async function readAll(paths: readonly string[], repository: Repository): Promise<readonly Read[]> {
  await repository.readAhead?.(paths);
  const texts = await Promise.all(paths.map((path) => readText(repository, path)));
  return paths.flatMap((path, at) => (texts[at] == null ? [] : [{ path, text: texts[at] }]));
}

/** From the tests to the helpers and data that they use, and on from there. */
async function follow(search: Search, tests: readonly Read[]): Promise<ReadonlySet<string>> {
  const { units } = search;
  const found = new Set<string>();
  const asked = new Set<string>();
  let open = tests;
  for (let depth = 0; depth < DEEPEST && open.length > 0; depth += 1) {
    const users = usersIn(open, search);
    for (const path of open.flatMap((each) => dataOf(each, { ...search, isHelper: depth > 0 }))) found.add(path);
    const next = [...users.keys()].filter((path) => isCode(path) && !asked.has(path) && !units.has(path) && !units.has(stemOf(path)));
    for (const path of next) asked.add(path);
    open = (await readAll(next, search.repository)).filter(({ path, text }) => isHelper(path, text, users.get(path) ?? []));
    for (const { path } of open) found.add(path);
  }
  return found;
}

/** The files that these import, with those that import them. */
function usersIn(open: readonly Read[], { index, isDecided }: Search): ReadonlyMap<string, readonly User[]> {
  const users = new Map<string, User[]>();
  for (const each of open) {
    for (const target of targetsOf(each.path, each.text, index)) {
      if (isDecided(target)) continue;
      const user = { ...each, names: () => namesOf(each, target, index) };
      users.set(target, [...(users.get(target) ?? []), user]);
    }
  }
  return users;
}

/** A test that uses nothing of the project tests the data itself, which then is the work. */
function dataOf({ path, text }: Read, { data, isHelper, index, isDecided }: Search & { readonly isHelper: boolean }): readonly string[] {
  if (data.length === 0) return [];
  const targets = targetsOf(path, text, index).filter((target) => !isDecided(target));
  if (!(isHelper || targets.some(isCode) || startsPrograms.test(text))) return [];
  return [...targets.filter((target) => data.includes(target)), ...dataNamedBy(path, text, data)];
}

const startsPrograms = /\b(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|subprocess|Command|execa|runner\.invoke)\b/;

/** A helper that a source imports is the product, and so is data that a source may read. */
async function withoutProduct({ wanted, repository, index, isDecided }: Search, found: ReadonlySet<string>, tests: ReadonlySet<string>) {
  const left = new Set(found);
  const isInstalled = (path: string) => /(?:^|\/)(?:node_modules|vendor|dist)\//.test(path);
  const isSource = (path: string) => isCode(path) && !tests.has(path) && !found.has(path) && !isInstalled(path) && !isDecided(path);
  let open = await readAll(repository.paths.filter(isSource).slice(0, MOST_SOURCES), repository);
  // What a product module imports is the product too, so this goes on until nothing falls away.
  while (open.length > 0 && left.size > 0) {
    const mentioned = mentions([...found]);
    const gone = new Set(open.filter(({ text }) => mentioned.test(text)).flatMap((each) => usedBy(each, [...left], index)));
    for (const path of gone) left.delete(path);
    open = await readAll([...gone].filter(isCode), repository);
  }
  return new Set(wanted.filter((path) => left.has(path)));
}

/** A quick look: whoever uses one of these has at least a part of its path. */
function mentions(paths: readonly string[]): RegExp {
  const words = new Set(paths.flatMap((path) => [stemOf(path), nameOf(folderOf(path))]).filter((word) => word !== ''));
  return new RegExp([...words].map((word) => word.replace(/[^\w]/g, '\\$&')).join('|'));
}

function usedBy({ path, text }: Read, among: readonly string[], index: Index): readonly string[] {
  const targets = new Set(targetsOf(path, text, index));
  // In Go all files of a folder see each other.
  const isBeside = (each: string) => path.endsWith('.go') && folderOf(path) === folderOf(each);
  return among.filter((each) => (isCode(each) ? targets.has(each) && !isBeside(each) : mayRead(text, each)));
}

/** The files that packages name as theirs. */
async function entriesOf(repository: Repository): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, text } of await readAll(repository.paths.filter((each) => nameOf(each) === 'package.json' && !isProduct(each)).slice(0, 50), repository)) {
    const entries = /"(?:main|module|exports|bin|types|browser|files)"\s*:\s*(?:"[^"]*"|\{[^}]*\}(?:\s*,?\s*"[^"]*"\s*:\s*\{[^}]*\})*|\[[^\]]*\])/g;
    const words = (text.match(entries) ?? []).flatMap((each) => [...each.matchAll(/"([^"]+)"/g)].map(([, word = '']) => word.replace(/^\.\//, '')));
    found.push(...words.map((word) => (folderOf(path) === '' ? word : `${folderOf(path)}/${word}`)));
  }
  return found;
}

/** What a loader may find instead of each other: `cases.js` and `cases.json`, `checking/__init__.py` and `checking.py`. */
const bareOf = (path: string) => path.replace(/(?:\/(?:__init__|index))?(?:\.\w+)?$/, '');
const isLoaded = (path: string) => isCode(path) || path.endsWith('.json');

/** The files of the base that a changed path is, or that an added one may be found instead of. */
export function meantBy(changes: readonly { readonly path: string; readonly kind: string }[], { paths }: Repository): readonly string[] {
  const added = new Set(changes.flatMap(({ path, kind }) => (kind === 'added' ? [bareOf(path)] : [])));
  const old = changes.flatMap(({ path, kind }) => (kind === 'added' ? [] : [path]));
  return [...new Set([...old, ...(added.size === 0 ? [] : paths.filter((path) => isLoaded(path) && added.has(bareOf(path))))])];
}

/** The sight of a gate that runs tests, with what only they use. */
export function withUsed(sight: GateSight, used: ReadonlySet<string>): GateSight {
  if (used.size === 0 || (sight.tests.length === 0 && sight.specs.length === 0)) return sight;
  const bare = new Set([...used].filter(isLoaded).map(bareOf));
  const own = (path: string) => (used.has(path) ? 'test' : bare.has(bareOf(path)) ? 'configuration' : null);
  return { ...sight, decides: (path) => sight.decides(path) ?? own(path), isMeasure: (path) => sight.isMeasure(path) || (used.has(path) && !isCode(path)) };
}
