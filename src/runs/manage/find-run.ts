import { join } from 'node:path';
import type { RunState } from '../../journal/state/state.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { chooseRunIn } from '../../store/run-home.ts';
import { readRuns } from '../../store/runs/read-runs.ts';
import { type RunBrief, type RunSight, readRunBrief, type UnreadableRun } from '../../store/runs/run-brief.ts';
import { type RunStanding, standingOf } from './run-standing.ts';
import { runsFolders, type Where } from './runs-folders.ts';

/** Finds a run by its id or by the end of its id. */
export async function findRun(cwd: string, wanted: string, where: Where): Promise<ToldRun> {
  const { run, runsFolder } = await chooseRunIn(wanted, await runsFolders(cwd, where), cwd);
  const sight = await readRunBrief(runsFolder, run);
  if (sight === null) throw neverStarted(run);
  return told(sight);
}

/** The error for a run with a folder but without a journal. */
export function neverStarted(run: string): OperatorError {
  return new OperatorError('run-empty', `run ${run} never started`, { hint: 'Start a new one.', exitCode: 2 });
}

export function unreadable({ run, folder, why }: UnreadableRun): OperatorError {
  return new OperatorError('run-unreadable', `run ${run} cannot be read: ${why}`, { hint: `Look at ${folder} yourself.`, exitCode: 4 });
}

/** A run with its status. */
export interface ToldRun extends RunStanding {
  readonly sight: RunSight;
  /** The parent run; null when a person started it, or when the parent is unknown. */
  readonly parent: string | null;
}

export function told(sight: RunSight): ToldRun {
  return { sight, parent: sight.kind === 'run' ? (sight.task?.parent ?? null) : null, ...standingOf(sight) };
}

/** Every run that can be found from here, newest first. */
export async function toldRuns(cwd: string, where: Where): Promise<readonly ToldRun[]> {
  return await toldRunsIn(await runsFolders(cwd, where));
}

export async function toldRunsIn(folders: readonly string[]): Promise<readonly ToldRun[]> {
  const sights = (await Promise.all(folders.map((folder) => readRuns(folder)))).flat();
  return sights.map(told).sort(newestFirst);
}

/** An id begins with the second in which it was made; within that second, the journals decide the order. */
const SECOND_CHARS = 'yyyymmdd-hhmmss'.length;

export function newestFirst({ sight: one }: ToldRun, { sight: other }: ToldRun): number {
  const [second, another] = [one.run.slice(0, SECOND_CHARS), other.run.slice(0, SECOND_CHARS)];
  if (second !== another) return second < another ? 1 : -1;
  return startOf(other) - startOf(one);
}

function startOf(sight: RunSight): number {
  return sight.kind === 'run' ? sight.startedAtMs : 0;
}

/** The state of a run, folded from its journal; null when the journal cannot be read. */
export async function stateOfRun({ folder }: Pick<RunBrief, 'folder'>): Promise<RunState | null> {
  // Loaded here because a list of runs does not need them.
  const [{ readJournalFile }, { evolve }, { emptyState }] = await Promise.all([
    import('../../store/journal-file.ts'),
    import('../../journal/evolve/evolve.ts'),
    import('../../journal/state/state.ts'),
  ]);
  const events = await readJournalFile(join(folder, 'journal.jsonl')).catch(() => null);
  return events?.reduce(evolve, emptyState) ?? null;
}
