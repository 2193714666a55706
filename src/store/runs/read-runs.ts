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
