import type { Start } from './follow/trail.ts';
import { folderOf, type Index, isWithin, resolvePath } from './repository.ts';

/** Where the checkers of a gate look, as far as its command says. */
export interface CheckedPlaces {
  /** Files and folders that the command names. */
  readonly named: readonly string[];
  /** The folders in which the checkers start. */
  readonly folders: readonly string[];
}

/** Finds them in the starts of all tools that check sources. */
export function checkedPlaces(starts: readonly Start[], index: Index): CheckedPlaces {
  const checkers = starts.filter(({ tool }) => tool.tests.length === 0 && tool.endings !== undefined);
  const named = checkers.flatMap((start) => start.rest.flatMap((word) => placeOf(word, start, index) ?? []));
  return { named: [...new Set(named)], folders: [...new Set(checkers.map(({ cwd }) => cwd))] };
}

/** The file or folder that a word of the command means: of a glob its folder, and of a settings file too. Null for none, and for the whole tree. */
function placeOf(word: string, { tool, cwd }: Start, { files, folders }: Index): string | null {
  const plain = word.replace(/^-[^=]*(?:=|$)/, '').replace(/\/?[^/]*(?:[*?{[]|\.\.\.).*$/s, '');
  const path = plain === '' ? null : resolvePath(cwd, plain);
  if (path === null) return null;
  const isSource = tool.endings?.some((ending) => ending !== '' && path.endsWith(`.${ending}`));
  const place = files.has(path) && !isSource ? folderOf(path) : path;
  return place !== '' && (files.has(place) || folders.has(place)) ? place : null;
}

/** First what the command names, then what is below its folder; of each the first few are from all parts of the tree. */
export function inCheckingOrder(paths: readonly string[], { named, folders }: CheckedPlaces): readonly string[] {
  const rank = (path: string) => {
    if (/(?:^|\/)(?:node_modules|vendor)\//.test(path)) return 3;
    if (named.some((place) => place === path || isWithin(path, place))) return 0;
    return folders.some((folder) => isWithin(path, folder)) ? 1 : 2;
  };
  const ranked = paths.map((path) => [path, rank(path)] as const);
  return [0, 1, 2, 3].flatMap((wanted) =>
    spread(
      ranked.flatMap(([path, found]) => (found === wanted ? [path] : [])),
      0,
    ),
  );
}

/** Takes one path after the other from each folder, and does the same in the folders below. */
function spread(paths: readonly string[], from: number): readonly string[] {
  if (paths.length < 2) return paths;
  const here: string[] = [];
  const below = new Map<string, string[]>();
  for (const path of paths) {
    const slash = path.indexOf('/', from);
    if (slash === -1) here.push(path);
    else {
      const folder = path.slice(from, slash);
      const group = below.get(folder);
      if (group === undefined) below.set(folder, [path]);
      else group.push(path);
    }
  }
  const lists = [here, ...[...below].map(([folder, group]) => spread(group, from + folder.length + 1))];
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}
