import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { readHistory } from '../../report/files/read-history.ts';
import type { IterationRecord } from '../../report/history/run-history.ts';
import { type RunView, runView } from '../../report/views/run-view.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';
import { findRun, neverStarted, type RunWithStatus, runsWithStatusIn, unreadable } from './find-run.ts';
import { type RunFilter, runsFolders } from './runs-folders.ts';

/** Everything known about one run. */
export interface ShownRun {
  readonly told: RunWithStatus & { readonly sight: RunSummary };
  readonly view: RunView;
  readonly iterations: readonly IterationRecord[];
  /** Its child runs, oldest first. */
  readonly children: readonly RunWithStatus[];
  readonly files: readonly RunFile[];
}

const MOST_FILES = 1_000;

export async function showRun(cwd: string, wanted: string | null, where: RunFilter): Promise<ShownRun> {
  const entry = await findRun(cwd, wanted, where);
  const { sight } = entry;
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const { state, iterations, lastMs } = await readHistory(sight.folder);
  if (state.run === null) throw neverStarted(sight.run);
  const all = await runsWithStatusIn(await runsFolders(cwd, where));
  return {
    told: { ...entry, sight },
    view: runView(state, lastMs),
    iterations,
    children: all.filter(({ parent }) => parent === sight.run).reverse(),
    files: await runFiles(sight.folder, MOST_FILES),
  };
}

/** A run in its `--json` form, as far as its journal goes; null for a run that never started. */
export function viewOfEvents(events: readonly JournalEvent[]): RunView | null {
  const state = events.reduce(evolve, emptyState);
  return state.run === null ? null : runView(state, events.at(-1)?.at ?? 0);
}

export interface RunFile {
  /** Relative to the run's folder. */
  readonly path: string;
  readonly bytes: number;
}

/** Lists the files of a run up to a maximum. Links are left out and never followed. */
async function runFiles(folder: string, most: number): Promise<readonly RunFile[]> {
  const files: RunFile[] = [];
  const open = [folder];
  for (let path = open.shift(); path !== undefined && files.length < most; path = open.shift()) {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const found = join(path, entry.name);
      if (entry.isDirectory()) open.push(found);
      if (entry.isFile()) files.push({ path: relative(folder, found), bytes: (await stat(found).catch(() => null))?.size ?? 0 });
    }
  }
  return files.slice(0, most);
}
