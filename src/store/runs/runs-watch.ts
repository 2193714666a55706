import { join } from 'node:path';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { activeProcessOf, listFolder, type RunsListing } from './run-lock.ts';
import { type StartedRun, startedIn } from './started-run.ts';

/** A run that a live process works on. */
export interface ActiveRun {
  readonly run: string;
  /** The run that started it; null if a person did. */
  readonly parent: string | null;
  /** The id of its task; null for a run without a task folder. */
  readonly task: string | null;
  /** The process that writes its journal. */
  readonly identity: ProcessIdentity;
}

export interface RunsWatch {
  /**
   * The runs with a journal that a live process of this machine works on, sorted by id. Each call costs one readdir: it never reads again
   * a lock that was released or whose holder is dead, nor a first line. Writes nothing and never rejects.
   */
  active(): Promise<readonly ActiveRun[]>;
}

/** Made for frequent calls, even with many old runs. */
export function openRunsWatch(runsFolder: string): RunsWatch {
  const over = new Set<string>();
  const started = new Map<string, StartedRun>();

  function startOf(run: string): StartedRun | null {
    const known = started.get(run);
    if (known) return known;
    const start = startedIn(join(runsFolder, run));
    if (start) started.set(run, start);
    return start;
  }

  function activeRun(run: string, listing: RunsListing): ActiveRun | null {
    const lockFile = listing.lockFileOf(run);
    if (lockFile === null || over.has(lockFile)) return null;
    const held = activeProcessOf(run, listing);
    if (held === null) over.add(lockFile);
    if (held?.liveness !== 'alive') return null;
    const start = startOf(run);
    const { host, bootId, pid, startTime } = held.by;
    return start && { run, parent: start.task?.parent ?? null, task: start.task?.task ?? null, identity: { host, bootId, pid, startTime } };
  }

  return {
    async active() {
      const listing = listFolder(runsFolder);
      return listing.names.map((run) => activeRun(run, listing)).filter((active) => active !== null);
    },
  };
}
