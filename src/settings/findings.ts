import { protectedPaths } from '../proof/judge/protected-paths.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import type { RunSettings } from './schema/run-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Of what was dirty before; the count is kept whole. */
const REMEMBERED_PATHS = 100;

export type Found = Extract<EventBody, { type: 'run.started' }>['found'];

/** The workspace as a run finds it. A loop, and who protects anything, goes back to the tree it began with, so the repository keeps it; nobody else's repository grows for it. */
export async function findings({ git }: Workspace, settings: RunSettings): Promise<Found> {
  const found = (await git?.snapshot()) ?? null;
  if (found === null) return null;
  const isKept = settings.loop !== null || protectedPaths(settings).length > 0;
  const kept = isKept ? await git?.look() : null;
  const seen = !isKept ? found : { ...found, tree: kept?.tree ?? null, problem: found.problem ?? kept?.problem ?? null };
  return { ...seen, dirty: seen.dirty.slice(0, REMEMBERED_PATHS), dirty_count: seen.dirty.length };
}
