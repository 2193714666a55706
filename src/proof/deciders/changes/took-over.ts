import type { Change } from '../base-deciders.ts';
import { type Index, indexOf, isWithin, nameOf, type Repository, readText } from '../repository.ts';
import { stemOf } from '../used-by-tests/helper-signs.ts';
import { isCode, targetsOf } from '../used-by-tests/modules.ts';

/** A new file with code that another file had, or that another one now uses. */
export interface TookOver {
  readonly path: string;
  /** The other file, of the base or of the claim. */
  readonly from: string;
}

interface Trees {
  readonly changes: readonly Change[];
  readonly base: Repository;
  readonly claimed: Repository;
}

/** More is a new part of the project rather than code that was put out of sight. */
const MOST_READ = 200;

/**
 * The new files that took over code: they have its lines or its name, or a changed file imports them. An imported file does not count where the base had such
 * files already, since whoever checks these files has always known or ignored them there.
 */
export async function tookOver({ changes, base, claimed }: Trees): Promise<readonly TookOver[]> {
  const code = changes.filter(({ path }) => isCode(path)).slice(0, MOST_READ);
  const added = code.filter(({ kind }) => kind === 'added');
  if (added.length === 0) return [];
  const lost = await lostLines({ changes: code, base, claimed });
  const isNamesake = (each: string, path: string) => stemOf(each) === stemOf(path) && !claimed.paths.includes(each);
  const found: TookOver[] = [];
  for (const { path } of added) {
    const lines = linesOf((await readText(claimed, path)) ?? '');
    const from = [...lost.keys()].find((each) => isNamesake(each, path)) ?? [...lost].find(([, gone]) => areIn(gone, lines))?.[0];
    if (from !== undefined) found.push({ path, from });
  }
  return [...found, ...(await imported({ changes: code, base, claimed }, new Set(found.map(({ path }) => path))))];
}

/** What files of the base had, and have no longer. */
async function lostLines({ changes, base, claimed }: Trees): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const lost = new Map<string, ReadonlySet<string>>();
  for (const { path } of changes.filter(({ kind }) => kind !== 'added')) {
    const after = linesOf((await readText(claimed, path)) ?? '');
    lost.set(path, new Set([...linesOf((await readText(base, path)) ?? '')].filter((line) => !after.has(line))));
  }
  return lost;
}

async function imported({ changes, base, claimed }: Trees, known: ReadonlySet<string>): Promise<readonly TookOver[]> {
  const added = new Set(changes.flatMap(({ path, kind }) => (kind === 'added' && !known.has(path) && !isUsualIn(base, path) ? [path] : [])));
  if (added.size === 0) return [];
  const index: Index = indexOf(claimed.paths);
  const found: TookOver[] = [];
  for (const { path: from } of changes.filter(({ kind }) => kind !== 'removed')) {
    const targets = targetsOf(from, (await readText(claimed, from)) ?? '', index);
    found.push(...targets.filter((path) => added.has(path)).map((path) => ({ path, from })));
  }
  return found;
}

const endingOf = (path: string) => path.slice(path.lastIndexOf('.'));

/** Whether the base has files of this kind in the same folder of the top. */
function isUsualIn({ paths }: Repository, path: string): boolean {
  const top = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
  const isThere = (each: string) => (top === '' ? !each.includes('/') && !/config|rc\./.test(nameOf(each)) : isWithin(each, top));
  return paths.some((each) => endingOf(each) === endingOf(path) && isThere(each));
}

/** Lines that say something, without what a move from one module to another changes in them. */
function linesOf(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map((line) =>
    line
      .trim()
      .replace(/^(?:export|default|public|pub|static|async)\s+/, '')
      .replace(/[;,]$/, ''),
  );
  return new Set(lines.filter((line) => line.length >= 8 && !/^(?:import|from|package|use|\/\/|#|\*)\b/.test(line)));
}

function areIn(gone: ReadonlySet<string>, lines: ReadonlySet<string>): boolean {
  const common = [...gone].filter((line) => lines.has(line)).length;
  return common > 0 && common * 2 >= Math.min(gone.size, lines.size);
}
