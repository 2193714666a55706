import { join } from 'node:path';
import { readJournalFile } from '../../store/journal-file.ts';
import { runLock } from '../../store/runs/run-lock.ts';
import { lockHolder } from '../../store/lock.ts';

/** `dead`: its process is gone and it never said how it ended. `unknown`: it runs, if it does, where we cannot look. */
export type WorktreeState = 'running' | 'stopped' | 'dead' | 'unknown' | 'no run';

export interface RunInWorktree {
  readonly state: WorktreeState;
  readonly stopReason: string | null;
}

interface Where {
  readonly runsFolder: string;
  /** Of the worktree itself; null when it is gone. */
  readonly placeLock: string | null;
  /** Null when no run has ever been there. */
  readonly run: string | null;
  /** Whether that run ever began. */
  readonly hasStarted: boolean;
}

/** Who holds the worktree or its run is at work in it, also before its journal begins. */
export async function runInWorktree({ runsFolder, placeLock, run, hasStarted }: Where): Promise<RunInWorktree> {
  const locks = [...(placeLock === null ? [] : [placeLock]), ...(run === null ? [] : [runLock(runsFolder, run)])];
  for (const lock of locks) {
    const held = await lockHolder(lock);
    if (held !== null) return { state: held.liveness === 'alive' ? 'running' : 'unknown', stopReason: null };
  }
  return run !== null && hasStarted ? await endOf(join(runsFolder, run)) : { state: 'no run', stopReason: null };
}

/** A journal that cannot be read tells nothing, and so nothing is taken for over. */
async function endOf(runFolder: string): Promise<RunInWorktree> {
  const events = await readJournalFile(join(runFolder, 'journal.jsonl')).catch(() => null);
  if (events === null) return { state: 'unknown', stopReason: null };
  const last = events.at(-1)?.body;
  return last?.type === 'run.stopped' ? { state: 'stopped', stopReason: last.outcome.stop_reason } : { state: 'dead', stopReason: null };
}
