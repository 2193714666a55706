import { join } from 'node:path';
import type { RunState } from '../../journal/state/state.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { chooseRunIn } from '../../store/run-home.ts';
import { readRuns } from '../../store/runs/read-runs.ts';
import { type RunSummary, type RunSummaryOrProblem, readRunSummary, type UnreadableRun } from '../../store/runs/run-summary.ts';
import { type RunStateNow, runStateOf } from './run-state.ts';
import { type RunFilter, runsFolders } from './runs-folders.ts';

/** Finds a run by its id or by the end of its id; null means the newest of this directory. */
export async function findRun(cwd: string, wanted: string | null, where: RunFilter): Promise<RunWithStatus> {
  const { run, runsFolder } = await chooseRunIn(wanted, await runsFolders(cwd, where), cwd);
  const sight = await readRunSummary(runsFolder, run);
  if (sight === null) throw neverStarted(run);
  return runWithStatus(sight);
}

/** The error for a run with a folder but without a journal. */
export function neverStarted(run: string): OperatorError {
  return new OperatorError('run-empty', `run ${run} never started`, { hint: 'Start a new one.', exitCode: 2 });
}

export function unreadable({ run, folder, why }: UnreadableRun): OperatorError {
  return new OperatorError('run-unreadable', `run ${run} cannot be read: ${why}`, { hint: `Look at ${folder} yourself.`, exitCode: 4 });
}

/** A run with its status. */
export interface RunWithStatus extends RunStateNow {
  readonly sight: RunSummaryOrProblem;
  /** The parent run; null when a person started it, or when the parent is unknown. */
  readonly parent: string | null;
}

export function runWithStatus(sight: RunSummaryOrProblem): RunWithStatus {
  return { sight, parent: sight.kind === 'run' ? (sight.task?.parent ?? null) : null, ...runStateOf(sight) };
}

/** Every run that can be found from here, newest first. */
export async function runsWithStatus(cwd: string, where: RunFilter): Promise<readonly RunWithStatus[]> {
  return await runsWithStatusIn(await runsFolders(cwd, where));
}

export async function runsWithStatusIn(folders: readonly string[]): Promise<readonly RunWithStatus[]> {
  const sights = (await Promise.all(folders.map((folder) => readRuns(folder)))).flat();
  return sights.map(runWithStatus).sort(newestFirst);
}

/** An id begins with the second in which it was made; within that second, the journals decide the order. */
const SECOND_CHARS = 'yyyymmdd-hhmmss'.length;

export function newestFirst({ sight: one }: RunWithStatus, { sight: other }: RunWithStatus): number {
  const [second, another] = [one.run.slice(0, SECOND_CHARS), other.run.slice(0, SECOND_CHARS)];
  if (second !== another) return second < another ? 1 : -1;
  return startOf(other) - startOf(one);
}

function startOf(sight: RunSummaryOrProblem): number {
  return sight.kind === 'run' ? sight.startedAtMs : 0;
}

/** The state of a run, folded from its journal; null when the journal cannot be read. */
export async function stateOfRun({ folder }: Pick<RunSummary, 'folder'>): Promise<RunState | null> {
  // Loaded here because a list of runs does not need them.
  const [{ readJournalFile }, { evolve }, { emptyState }] = await Promise.all([
    import('../../store/journal-file.ts'),
    import('../../journal/evolve/evolve.ts'),
    import('../../journal/state/state.ts'),
  ]);
  const events = await readJournalFile(join(folder, 'journal.jsonl')).catch(() => null);
  return events?.reduce(evolve, emptyState) ?? null;
}
