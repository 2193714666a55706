import { join } from 'node:path';
import { readJournalFile } from '../../store/journal-file.ts';
import type { RunBrief } from '../../store/runs/run-brief.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { type RunView, runView } from '../../report/views/run-view.ts';
import { findRun } from './find-run.ts';
import { iterationsOf, type ShownIteration } from './iterations-of.ts';
import { type RunFile, runFiles } from './run-files.ts';
import { runsFolders, type Where } from './runs-folders.ts';
import { type ToldRun, toldRunsIn } from './told-runs.ts';
import { neverStarted, unreadable } from './trouble-with-run.ts';

/** All that is known of one run. */
export interface ShownRun {
  readonly told: ToldRun & { readonly sight: RunBrief };
  readonly view: RunView;
  readonly iterations: readonly ShownIteration[];
  /** The runs it asked for, oldest first. */
  readonly children: readonly ToldRun[];
  readonly files: readonly RunFile[];
}

const MOST_FILES = 1_000;

export async function showRun(cwd: string, wanted: string, where: Where): Promise<ShownRun> {
  const told = await findRun(cwd, wanted, where);
  const { sight } = told;
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const events = await readJournalFile(join(sight.folder, 'journal.jsonl'));
  const state = events.reduce(evolve, emptyState);
  if (state.run === null) throw neverStarted(sight.run);
  const all = await toldRunsIn(await runsFolders(cwd, where));
  return {
    told: { ...told, sight },
    view: runView(state, events.at(-1)?.at ?? 0),
    iterations: iterationsOf(events),
    children: all.filter(({ parent }) => parent === sight.run).reverse(),
    files: await runFiles(sight.folder, MOST_FILES),
  };
}
