/** One tree of the project, as deciders need it. */
export interface Repository {
  /** Relative to the top of the project, separated by slashes. */
  readonly paths: readonly string[];
  /** Null if it does not exist, or is not text. */
  read(path: string): Promise<string | null>;
  /** Makes later reads of these files fast. */
  readAhead?(paths: readonly string[]): Promise<void>;
  /** Its symbolic links, and their targets. */
  readonly links?: ReadonlyMap<string, string>;
}

/** No person writes a larger script or configuration, so it counts as missing: `null`. */
const MOST_CHARS = 1_000_000;

export async function readText(repository: Repository, path: string): Promise<string | null> {
  const text = await repository.read(path);
  return text === null || text.length > MOST_CHARS ? null : text;
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Empty for the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const isWithin = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`);

/** All folders above a path, without the top. */
export function foldersAbove(path: string): readonly string[] {
  const found: string[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) found.push(folder);
  return found;
}

/** A path relative to a folder, without dots; null if it leads out of the project. */
export function resolvePath(folder: string, path: string): string | null {
  if (path.startsWith('/') || path.startsWith('~')) return null;
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** The files and folders of a tree, for lookups by name. */
export interface Index {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

export function indexOf(paths: readonly string[]): Index {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  }
  return { files: new Set(paths), folders };
}

const endings = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.jsx', '.tsx', '.json', '/index.js', '/index.ts', '/index.tsx'];

/** The file that a word means from a folder, with or without its ending; null if there is none. */
export function findFile({ files }: Index, folder: string, word: string): string | null {
  const path = word === '' || word.length > 1_000 ? null : resolvePath(folder, word);
  if (path === null || path === '') return null;
  // In TypeScript an import of `./a.js` finds `a.ts`.
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return [...endings.map((ending) => path + ending), typed].find((each) => files.has(each)) ?? null;
}

const imported = /(?:\bfrom|\bimport|\brequire|\))\s{0,20}\(?\s{0,20}(?:'(\.{1,2}\/[^'\n]*)'|"(\.{1,2}\/[^"\n]*)")/g;

/** The files of its own project that a JavaScript file imports. */
export function importsOf(text: string, folder: string, index: Index): readonly string[] {
  return [...text.matchAll(imported)].map(([, one, two]) => findFile(index, folder, one ?? two ?? '')).filter((path) => path !== null);
}

/** Folders with what the project produces, even if a script names them. */
export const isProduct = (path: string): boolean =>
  /^(?:(?!(?:scripts?|tools?|ci|bin|tests?|e2e|hack)\/)[^/]+\/)*?(?:src|lib|app|source|dist|build|out|internal|cmd)\//.test(path);

const testFolder = /(?:^|\/)(?:tests?|__tests__|__mocks__|__snapshots__|__fixtures__|specs?|testdata|e2e)\//;

/** Whether it is in a folder for tests. */
export const isTestPlace = (path: string): boolean => testFolder.test(path);

/** The folder that contains a folder for tests; null if the path is in none. */
export function aboveTests(path: string): string | null {
  const at = testFolder.exec(path)?.index;
  return at === undefined ? null : path.slice(0, at);
}
