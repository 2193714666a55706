import type { Trail } from './follow/trail.ts';
import { folderOf, importsOf, isProduct, isTestPlace, isWithin, readText } from './repository.ts';

/** How a program finds files that it does not name. */
const lists = /\b(?:readdir|readdirSync|opendir|listdir|scandir|iterdir|r?glob|globSync|walk|import_module|__import__|discover)\b/;
const asserts = /\bassert|\bexpect\s*\(|\bshould\.|\braise\b|\bthrow\b|\bprocess\.exit/;
const isNamedSo = (path: string) => /[._-](?:test|spec|check|case)s?\.\w+$|(?:^|\/)(?:test|spec|check|case)s?[_-][^/]*$/.test(path);
const languages = [/\.[cm]?[jt]sx?$/, /\.py$/];

/** A tree with more of them is planted in a part of it. */
const MOST_READ = 500;

interface OwnRunners {
  /** Where runners of the project's own look for tests, as far as nobody else does. */
  readonly folders: readonly string[];
  readonly specs: readonly string[];
}

/** What runs as it is: the files that a gate hands to node or python, and those that such a program may find in its folder or in the folders for tests. */
export async function ownRunners({ bare, named, index, repository }: Trail): Promise<OwnRunners> {
  const run = [...bare].filter((path) => languages.some((language) => language.test(path)));
  const texts = new Map<string, string>();
  for (const path of run.slice(0, MOST_READ)) texts.set(path, (await readText(repository, path)) ?? '');
  const runners = [...texts].filter(([, text]) => lists.test(text)).map(([path]) => path);
  const folders = runners.map(folderOf).filter((folder) => folder !== '' && !isProduct(`${folder}/`));
  const mayBeFound = (path: string) =>
    !named.has(path) && runners.some((runner) => isSameLanguage(runner, path)) && (isTestPlace(path) || folders.some((folder) => isWithin(path, folder)));
  const maybe = runners.length === 0 ? [] : repository.paths.filter(mayBeFound).slice(0, MOST_READ);
  for (const path of maybe) texts.set(path, (await readText(repository, path)) ?? '');
  const loaded = new Set([...texts].flatMap(([path, text]) => importsOf(text, folderOf(path), index)));
  const leads = (path: string) =>
    runners.includes(path) || importsOf(texts.get(path) ?? '', folderOf(path), index).some((each) => folderOf(path) !== '' && isWithin(each, folderOf(path)));
  const found = maybe.filter((path) => !loaded.has(path) && (isNamedSo(path) || asserts.test(texts.get(path) ?? '')));
  return { folders, specs: [...run.filter((path) => !leads(path)), ...found] };
}

const isSameLanguage = (one: string, other: string) => languages.some((language) => language.test(one) && language.test(other));
