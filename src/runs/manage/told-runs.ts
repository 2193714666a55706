import { readRuns } from '../../store/runs/read-runs.ts';
import type { RunSight } from '../../store/runs/run-brief.ts';
import { type RunStanding, standingOf } from './run-standing.ts';
import { runsFolders, type Where } from './runs-folders.ts';

/** A run and how it stands. */
export interface ToldRun extends RunStanding {
  readonly sight: RunSight;
  /** The run that asked for it; null: a person did, or nobody knows. */
  readonly parent: string | null;
}

export function told(sight: RunSight): ToldRun {
  return { sight, parent: sight.kind === 'run' ? (sight.task?.parent ?? null) : null, ...standingOf(sight) };
}

/** Every run that can be asked for here, newest first. */
export async function toldRuns(cwd: string, where: Where): Promise<readonly ToldRun[]> {
  return await toldRunsIn(await runsFolders(cwd, where));
}

export async function toldRunsIn(folders: readonly string[]): Promise<readonly ToldRun[]> {
  const sights = (await Promise.all(folders.map((folder) => readRuns(folder)))).flat();
  return sights.map(told).sort(newestFirst);
}

/** An id begins with the second it was made in; within that the journals know more. */
const SECOND_CHARS = 'yyyymmdd-hhmmss'.length;

function newestFirst({ sight: one }: ToldRun, { sight: other }: ToldRun): number {
  const [second, another] = [one.run.slice(0, SECOND_CHARS), other.run.slice(0, SECOND_CHARS)];
  if (second !== another) return second < another ? 1 : -1;
  return startOf(other) - startOf(one);
}

function startOf(sight: RunSight): number {
  return sight.kind === 'run' ? sight.startedAtMs : 0;
}
