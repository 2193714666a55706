import { closeSync, constants, openSync, readSync } from 'node:fs';
import { listFolder } from './run-lock.ts';
import { type RunSummaryOrProblem, summaryFrom } from './run-summary.ts';

/** All runs of a folder, newest first, including folders with the name of a run that cannot be read. Empty if the folder does not exist. */
export async function readRuns(runsFolder: string): Promise<readonly RunSummaryOrProblem[]> {
  const listing = listFolder(runsFolder);
  const sights: RunSummaryOrProblem[] = [];
  for (const name of [...listing.names].reverse()) {
    const sight = await summaryFrom(listing, name);
    if (sight !== null) sights.push(sight);
  }
  return sights;
}

/** The names of the runs in a folder, without reading them. */
export interface NamedRuns {
  readonly names: readonly string[];
  read(run: string): Promise<RunSummaryOrProblem | null>;
  /** Whether its last event is its stop, judged by a quick read; false may also mean unknown. */
  hasStopped(run: string): boolean;
}

export async function nameRuns(runsFolder: string): Promise<NamedRuns> {
  const listing = listFolder(runsFolder);
  return {
    names: listing.names,
    read: (run) => summaryFrom(listing, run),
    hasStopped: (run) => endsInAStop(`${runsFolder}/${run}/journal.jsonl`),
  };
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const STOP = /^\{"v":1,"seq":\d+,"at":\d+,"type":"run\.stopped",/;
const LINE_FEED = 0x0a;
/** A quick read covers a whole small journal; longer ones need a full read. */
const glance = Buffer.alloc(64 * 1024);

function endsInAStop(journal: string): boolean {
  try {
    const fd = openSync(journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const length = readSync(fd, glance, 0, glance.length, 0);
    closeSync(fd);
    if (length === 0 || length === glance.length || glance[length - 1] !== LINE_FEED) return false;
    const start = glance.lastIndexOf(LINE_FEED, length - 2) + 1;
    return STOP.test(glance.toString('latin1', start, Math.min(length, start + 100)));
  } catch {
    return false;
  }
}
