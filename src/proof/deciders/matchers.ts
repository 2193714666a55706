import type { Start } from './follow/trail.ts';
import { type Anywhere, globs, globsAnywhere, plainGlob } from './globs.ts';
import { folderOf, foldersAbove, isWithin, resolvePath } from './repository.ts';
import type { Tool } from './tools/tool.ts';

export type Matches = (path: string) => boolean;

/** Matches the configuration of all started tools: in the folders they start in, below these and above them. */
export function configurationOf(starts: readonly Start[]): Matches {
  const lookups = lookupsOf(starts, ({ configuration }) => configuration);
  return (path) =>
    !isProse(path) &&
    lookups.some(({ startOf, folders, above }) => {
      const folder = startOf(path);
      return folder !== null && (above.has(folder) || hasAbove(folder, folders));
    });
}

const isProse = (path: string) => /\.(?:md|mdx|rst|html)$/.test(path);

/** Matches what the runners take for tests by their own conventions, by globs on their command line, and by globs in their configuration. */
export function runTestsOf(starts: readonly Start[], configured: readonly string[]): Matches {
  const lookups = lookupsOf(starts, ({ tests }) => tests);
  const asked = globs([...configured, ...starts.flatMap(askedGlobs)]);
  return (path) => asked.test(path) || lookups.some(({ startOf, folders }) => startOf(path) !== null && hasAbove(folderOf(path), folders));
}

interface Lookup {
  readonly startOf: Anywhere;
  readonly folders: ReadonlySet<string>;
  readonly above: ReadonlySet<string>;
}

/** Tools that start in the same folders share one expression: a monorepo starts the same few in forty folders. */
function lookupsOf(starts: readonly Start[], globsOf: (tool: Tool) => readonly string[]): readonly Lookup[] {
  const foldersOf = new Map<Tool, Set<string>>();
  for (const { tool, cwd } of starts) foldersOf.set(tool, (foldersOf.get(tool) ?? new Set()).add(cwd));
  const shared = new Map<string, { readonly folders: ReadonlySet<string>; readonly patterns: Set<string> }>();
  for (const [tool, folders] of foldersOf) {
    const key = [...folders].sort().join('\n');
    const group = shared.get(key) ?? { folders, patterns: new Set() };
    for (const glob of globsOf(tool)) group.patterns.add(glob);
    shared.set(key, group);
  }
  return [...shared.values()]
    .filter(({ patterns }) => patterns.size > 0)
    .map(({ folders, patterns }) => ({ startOf: globsAnywhere([...patterns]), folders, above: new Set([...folders].flatMap(selfAndAbove)) }));
}

const selfAndAbove = (folder: string): readonly string[] => [folder, ...foldersAbove(folder), ''];

/** Whether a folder or one above it is in the set. */
export function hasAbove(folder: string, folders: ReadonlySet<string>): boolean {
  if (folders.has('')) return true;
  for (let next = folder; next !== ''; next = folderOf(next)) if (folders.has(next)) return true;
  return false;
}

const isGlob = (word: string) => /[*?{[]/.test(word);

/** Mocha looks only into the folders that it gets, and below them only with `--recursive`. */
function mochaFolders(rest: readonly string[]): readonly string[] {
  const folders = rest.filter((word) => /^[^-][^*?{]*\/$|^[\w./]+$/.test(word) && !/\.\w+$/.test(word)).map((word) => word.replace(/\/+$/, ''));
  return ['test', ...folders].map((folder) => `${folder}/${rest.includes('--recursive') ? '**/' : ''}*.{js,cjs,mjs,ts}`);
}

/** Globs on the command line of a test runner, relative to the top. */
function askedGlobs({ tool, cwd, rest }: Start): readonly string[] {
  if (tool.tests.length === 0) return [];
  const words = rest.filter((word) => !word.startsWith('-'));
  return [...(tool.name === 'mocha' ? mochaFolders(rest) : []), ...words.filter(isGlob)].flatMap((word) => {
    const glob = plainGlob(word);
    return glob === null ? [] : [cwd === '' ? glob : `${cwd}/${glob}`];
  });
}

interface Known {
  readonly isFolder: Matches;
  readonly isRun: Matches;
}

/** Whether any start of a test runner asks for this test: it names nothing, or the file, or a folder above it, or a matching glob. */
export function askedTestsOf(starts: readonly Start[], known: Known): Matches {
  const filters = starts.filter(({ tool }) => tool.tests.length > 0 || tool.name === 'node' || tool.name === 'python').map((start) => filterOf(start, known));
  return (path) => filters.some((filter) => filter(path));
}

/** Runners that match their arguments against any part of a path. */
const partial = new Set(['vitest', 'jest', 'bun-test']);

function filterOf(start: Start, known: Known): Matches {
  const { tool, cwd } = start;
  const words = askedWords(start, known);
  const paths = words.map((word) => resolvePath(cwd, word) ?? '..');
  const folders = paths.filter(known.isFolder);
  const files = new Set(paths);
  const pattern = globs(askedGlobs(start));
  const parts = partial.has(tool.name) ? words.filter((word) => /[./]/.test(word)).map((word) => word.replace(/^\.\//, '')) : [];
  const asksAll = folders.length === 0 && parts.length === 0 && !words.some((word) => isGlob(word) || /\.\w+$/.test(word));
  const isAsked: Matches = (path) =>
    files.has(path) || pattern.test(path) || folders.some((folder) => isWithin(path, folder)) || parts.some((part) => path.includes(part));
  return (path) => isWithin(path, cwd) && (asksAll || isAsked(path));
}

/** A word after an option is its value, unless it can only be a test: `--config x.js`, but `--run a.test.js`. */
function askedWords({ cwd, rest }: Start, { isFolder, isRun }: Known): readonly string[] {
  return rest
    .map((word) => word.replace(/::.*$/s, ''))
    .filter((word, at) => {
      if (word.startsWith('-') || word === 'run' || word === 'watch') return false;
      const path = resolvePath(cwd, word) ?? '..';
      return rest[at - 1]?.startsWith('-') !== true || isGlob(word) || isFolder(path) || isRun(path);
    });
}
