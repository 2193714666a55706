import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDuration } from '../../kit/pure/amounts.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { takeLock } from '../../store/lock.ts';
import { removeLockFiles, runLock } from '../../store/runs/run-lock.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';
import { dropEnds, keptRefs } from '../../workspace/run-ends.ts';
import { type RunWithStatus, runsWithStatus } from './find-run.ts';
import type { RunFilter } from './runs-folders.ts';

export interface PruneOptions {
  readonly olderThanMs: number;
  /** Keep every run that is not done. */
  readonly keepFailed: boolean;
  readonly dryRun: boolean;
  readonly nowMs: number;
}

export interface KeptRun {
  readonly told: RunWithStatus;
  readonly why: string;
}

export interface PrunedRuns {
  /** With the refs that go too, and the ids of their commits, which git still has until its next clean-up. */
  readonly removed: readonly { readonly told: RunWithStatus; readonly refs: readonly string[] }[];
  readonly kept: readonly KeptRun[];
}

/** Removes the folders and locks of old runs. Commits and branches stay; what `ralph undo` needs, what was kept under refs, and the names of merged tasks go. A run is kept while work of its agents has not landed, also under refs. */
export async function pruneRuns(cwd: string, where: RunFilter, request: PruneOptions): Promise<PrunedRuns> {
  const runs = await runsWithStatus(cwd, where);
  const byId = new Map(runs.map((told) => [told.sight.run, told]));
  const keptOf = await keptRefs(cwd, environment());
  const removed: PrunedRuns['removed'][number][] = [];
  const kept: KeptRun[] = [];
  for (const told of runs) {
    const refs = [...(keptOf.get(told.sight.run) ?? [])];
    const why = whyKept(told, byId, request) ?? whyUnlanded(refs) ?? (request.dryRun ? null : await remove(told));
    if (why === null) removed.push({ told, refs });
    else kept.push({ told, why });
  }
  if (!request.dryRun && removed.length > 0) {
    await dropEnds(
      cwd,
      environment(),
      removed.map(({ told }) => told.sight.run),
    );
  }
  return { removed, kept };
}

const RUNNING = 'it is running';
const MAY_BE_RUNNING = 'it may be running where it cannot be seen from here';

/** States that can still change: such a run is kept. */
const NOT_OVER: Readonly<Partial<Record<RunWithStatus['state'], string>>> = {
  running: RUNNING,
  unknown: MAY_BE_RUNNING,
  waiting: 'it is waiting and can be resumed',
};

/** Null when the run may be removed. */
function whyKept(entry: RunWithStatus, runs: ReadonlyMap<string, RunWithStatus>, request: PruneOptions): string | null {
  const { sight, parent } = entry;
  if (sight.kind === 'unreadable') return `it cannot be read: ${sight.why}`;
  const why = whyNotOver(entry, sight) ?? whyWanted(entry, sight, request);
  if (why !== null) return why;
  if (sight.worktree !== null && existsSync(sight.worktree)) return `its worktree is still there: ${sight.worktree}`;
  if (existsSync(join(sight.folder, 'isolated'))) return 'the changes of its agent have not landed yet: resume it';
  const above = parent === null ? undefined : runs.get(parent);
  return above !== undefined && isNotOver(above) ? `its parent run ${parent} is not over` : null;
}

/** Under the others is what Ralph reverted, or what a branch has too. */
const UNLANDED = /^refs\/ralph\/kept\/[^/]+\/(?:(?:files|git)\/|\S+-left )/;

function whyUnlanded(refs: readonly string[]): string | null {
  const ref = refs.find((line) => UNLANDED.test(line))?.split(' ')[0];
  return ref === undefined ? null : `work of its agent that did not land is only at ${ref}: take it, then git update-ref -d ${ref}`;
}

/** Checked for a stopped run too: somebody may be resuming it right now. */
function whyNotOver({ state }: RunWithStatus, { liveness }: RunSummary): string | null {
  if (liveness !== 'dead') return liveness === 'alive' ? RUNNING : MAY_BE_RUNNING;
  return NOT_OVER[state] ?? null;
}

function whyWanted({ state }: RunWithStatus, { lastAtMs }: RunSummary, { olderThanMs, keepFailed, nowMs }: PruneOptions): string | null {
  const endedMs = nowMs - lastAtMs;
  if (endedMs < olderThanMs) return `it ended only ${formatDuration(Math.max(0, endedMs))} ago`;
  return keepFailed && state !== 'done' ? `it is not done (${state})` : null;
}

function isNotOver({ state }: RunWithStatus): boolean {
  return state in NOT_OVER || state === 'unreadable';
}

/** Locks the run while it is removed, so that nobody resumes it meanwhile. */
async function remove({ sight: { run, runsFolder, folder } }: RunWithStatus): Promise<string | null> {
  try {
    const lock = await takeLock(runLock(runsFolder, run), 'prune');
    if (lock.kind === 'held') return 'somebody has just resumed it';
    try {
      await removeFolder(folder);
      await removeLockFiles(runsFolder, run);
    } finally {
      await lock.release();
    }
    return null;
  } catch (error) {
    return `it could not be removed: ${(error as Error).message}`;
  }
}

/** Removes the journal last: after an interruption the rest is still a run, and can be pruned again. */
async function removeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== 'journal.jsonl') await rm(join(folder, name), { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}
