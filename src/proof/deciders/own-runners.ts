import type { Trail } from './follow/trail.ts';
import { folderOf, importsOf, isProduct, isTestPlace, isWithin, nameOf, readText, resolvePath } from './repository.ts';

/** Functions with which a program finds files that it does not name. */
const lists = /\b(?:readdir|readdirSync|opendir|listdir|scandir|iterdir|r?glob|globSync|walk|import_module|__import__|discover)\b/;
const asserts = /\bassert|\bexpect\s*\(|\bshould\.|\braise\b|\bthrow\b|\bprocess\.exit/;
const isNamedSo = (path: string) => /[._-](?:test|spec|check|case)s?\.\w+$|(?:^|\/)(?:test|spec|check|case)s?[_-][^/]*$/.test(path);
const languages = [/\.[cm]?[jt]sx?$/, /\.py$/];

/** The most files that are read. */
const MOST_READ = 500;

interface OwnRunners {
  /** Folders in which the project's own runners look for tests, and no other runner does. */
  readonly folders: readonly string[];
  readonly specs: readonly string[];
  /** Data that such a runner reads by name: which specs to run, which may fail. */
  readonly data: ReadonlySet<string>;
}

/**
 * The files that run directly: those that a gate passes to node or python, and those that such a program may find in its folder, in the folders for tests, or
 * where it is told to look.
 */
export async function ownRunners(trail: Trail): Promise<OwnRunners> {
  const { bare, named, index, repository } = trail;
  const run = [...bare].filter((path) => languages.some((language) => language.test(path)));
  const texts = new Map<string, string>();
  for (const path of run.slice(0, MOST_READ)) texts.set(path, (await readText(repository, path)) ?? '');
  const runners = [...texts].filter(([, text]) => lists.test(text)).map(([path]) => path);
  if (runners.length === 0) return { folders: [], specs: run.filter((path) => !leadsOn(path, texts, trail)), data: new Set() };
  const own = runners.map(folderOf).filter((folder) => folder !== '' && !isProduct(`${folder}/`));
  const told = await namedBy(runners, texts, trail);
  const mayBeFound = (path: string) =>
    !named.has(path) &&
    runners.some((runner) => isSameLanguage(runner, path)) &&
    (isTestPlace(path) || [...own, ...told.folders].some((folder) => isWithin(path, folder)));
  const maybe = repository.paths.filter(mayBeFound).slice(0, MOST_READ);
  for (const path of maybe) texts.set(path, (await readText(repository, path)) ?? '');
  const loaded = new Set([...texts].flatMap(([path, text]) => importsOf(text, folderOf(path), index)));
  const found = maybe.filter((path) => !loaded.has(path) && (isNamedSo(path) || asserts.test(texts.get(path) ?? '')));
  return {
    folders: [...new Set([...own, ...found.map(folderOf).filter((folder) => folder !== '')])],
    specs: [...run.filter((path) => !runners.includes(path) && !leadsOn(path, texts, trail)), ...found],
    // A program that runs no specs checks something else, and the data that it reads is the work.
    data: new Set(found.length === 0 ? [] : told.data),
  };
}

/** Whether a script only imports others of its own folder. */
function leadsOn(path: string, texts: ReadonlyMap<string, string>, { index }: Trail): boolean {
  const folder = folderOf(path);
  return folder !== '' && importsOf(texts.get(path) ?? '', folder, index).some((each) => isWithin(each, folder));
}

const isData = (path: string) => /\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|txt|csv|tsv|list|lst|rc)$|(?:^|\/)\.?[\w-]+$/.test(path);
/** These have their own rules, or are for people. */
const isApart = (path: string) => isProduct(path) || /^(?:package(?:-lock)?\.json|tsconfig.*|LICENSE|README|Makefile)$/.test(nameOf(path));

interface Told {
  readonly folders: readonly string[];
  readonly data: readonly string[];
}

/** The folders and data files that runners name in quotes, and those that such data names. */
async function namedBy(runners: readonly string[], texts: ReadonlyMap<string, string>, { index, repository }: Trail): Promise<Told> {
  const pathsIn = (path: string, text: string) => quotedIn(text).flatMap((word) => [resolvePath('', word), resolvePath(folderOf(path), word)]);
  const isFolder = (path: string | null): path is string => path !== null && path !== '' && index.folders.has(path) && !isProduct(`${path}/`);
  const isRead = (path: string | null): path is string => path !== null && index.files.has(path) && isData(path) && !isApart(path);
  const named = runners.flatMap((runner) => pathsIn(runner, texts.get(runner) ?? ''));
  const data = new Set(named.filter(isRead));
  for (const path of [...data]) named.push(...pathsIn(path, (await readText(repository, path)) ?? ''));
  return { folders: [...new Set(named.filter(isFolder))], data: [...new Set(named.filter(isRead))] };
}

function quotedIn(text: string): readonly string[] {
  const quoted = text.slice(0, MOST_CHARS).matchAll(/'([^'\n]{1,200})'|"([^"\n]{1,200})"|`([^`\n]{1,200})`/g);
  return [...quoted].map(([, one, two, three]) => one ?? two ?? three ?? '');
}

const MOST_CHARS = 100_000;

const isSameLanguage = (one: string, other: string) => languages.some((language) => language.test(one) && language.test(other));

/** How tests of types state what they expect: only a compiler ever runs them. */
const expectsTypes =
  /\b(?:Expect|ExpectTrue|Equals?|IsEqual|IsExact|Assert|AssertTrue|AssertExtends|expectType|expectTypeOf|expectAssignable|expectNotType|assertType)\s*[<(]/;
const isTyped = (path: string) => /\.[cm]?tsx?$/.test(path);
const isNamedForTypes = (path: string) => /[.-](?:test|spec)-d\.[cm]?ts$|\.types?\.(?:test|spec)\.[cm]?ts$/.test(path);

/** Tests that a type checker decides, with the helpers that they import from folders for tests. */
export async function typeTests({ starts, repository, index }: Trail): Promise<ReadonlySet<string>> {
  if (!starts.some(({ tool }) => tool.name === 'tsc')) return new Set();
  const found = new Set<string>();
  for (const path of repository.paths.filter((each) => isTyped(each) && (isTestPlace(each) || isNamedForTypes(each))).slice(0, MOST_READ)) {
    const text = (await readText(repository, path)) ?? '';
    if (!isNamedForTypes(path) && !expectsTypes.test(text)) continue;
    for (const each of [path, ...importsOf(text, folderOf(path), index).filter(isTestPlace)]) found.add(each);
  }
  return found;
}
