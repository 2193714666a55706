import { closeSync, constants, openSync, readSync } from 'node:fs';
import { briefFrom, type RunSight } from './run-brief.ts';
import { listFolder } from './run-lock.ts';

/** Every run of a folder, newest first, and what is called as one and cannot be read. Empty for a folder that is not there. */
export async function readRuns(runsFolder: string): Promise<readonly RunSight[]> {
  const listing = await listFolder(runsFolder);
  const sights: RunSight[] = [];
  for (const name of [...listing.names].reverse()) {
    const sight = await briefFrom(listing, name);
    if (sight !== null) sights.push(sight);
  }
  return sights;
}

/** The names of the runs in a folder, none of which was looked at. */
export interface NamedRuns {
  readonly names: readonly string[];
  read(run: string): Promise<RunSight | null>;
  /** Whether its last word is that it has stopped, as far as a glance tells: false says nothing. */
  hasStopped(run: string): boolean;
}

export async function nameRuns(runsFolder: string): Promise<NamedRuns> {
  const listing = await listFolder(runsFolder);
  return {
    names: listing.names,
    read: (run) => briefFrom(listing, run),
    hasStopped: (run) => endsInAStop(`${runsFolder}/${run}/journal.jsonl`),
  };
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const STOP = /^\{"v":1,"seq":\d+,"at":\d+,"type":"run\.stopped",/;
const LINE_FEED = 0x0a;
/** A glance takes in a whole small journal; longer ones are read as all are. */
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
