import { nameRuns } from '../../store/runs/read-runs.ts';
import { newestFirst, type RunWithStatus, runWithStatus } from './find-run.ts';
import { type RunFilter, runsFolders } from './runs-folders.ts';

export interface NewestRuns {
  /** Newest first. */
  readonly runs: readonly RunWithStatus[];
  /** How many older runs there are. All of them are over. */
  readonly others: number;
}

/**
 * The newest runs, as many as make up that number of trees, without reading the others: a parent is always older than its child, so the trees of the newest runs are complete.
 * Null when it is not certain that all others are over: then the caller must read them all.
 */
export async function newestRuns(cwd: string, where: RunFilter, trees: number): Promise<NewestRuns | null> {
  return await newestRunsIn(await runsFolders(cwd, where), trees);
}

/** The same for folders that are already found. */
export async function newestRunsIn(paths: readonly string[], trees: number): Promise<NewestRuns | null> {
  const folders = await Promise.all(paths.map(nameRuns));
  const named = folders.flatMap((folder) => folder.names.map((name) => ({ name, folder }))).sort((one, other) => (one.name < other.name ? 1 : -1));
  const runs: RunWithStatus[] = [];
  let roots = 0;
  let read = 0;
  for (; read < named.length && !(roots >= trees && isOfAnotherSecond(named[read - 1]?.name, named[read]?.name)); read += 1) {
    const sight = (await named[read]?.folder.read(named[read]?.name ?? '')) ?? null;
    if (sight === null) continue;
    runs.push(runWithStatus(sight));
    if (runs.at(-1)?.parent === null) roots += 1;
  }
  const others = named.slice(read);
  const descendants = runs.every(({ parent }) => parent === null) ? NONE : descendantsOfOlder(runs, new Set(others.map(({ name }) => name)));
  if (![...descendants].every(isOver) || !others.every(({ name, folder }) => folder.hasStopped(name))) return null;
  return { runs: runs.filter((run) => !descendants.has(run)).sort(newestFirst), others: others.length + descendants.size };
}

const NONE: ReadonlySet<RunWithStatus> = new Set();

/** Runs that belong to the tree of an older run. */
function descendantsOfOlder(newestFirstRuns: readonly RunWithStatus[], older: ReadonlySet<string>): ReadonlySet<RunWithStatus> {
  const descendants = new Set<RunWithStatus>();
  const away = new Set(older);
  for (const run of newestFirstRuns.toReversed()) {
    if (run.parent === null || !away.has(run.parent)) continue;
    descendants.add(run);
    away.add(run.sight.run);
  }
  return descendants;
}

const isOver = ({ state }: RunWithStatus) => state !== 'running' && state !== 'unknown';

const SECOND_CHARS = 'yyyymmdd-hhmmss'.length;

const isOfAnotherSecond = (one = '', other = '') => one.slice(0, SECOND_CHARS) !== other.slice(0, SECOND_CHARS);
