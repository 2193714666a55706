import { join } from 'node:path';
import { readJournalFile } from '../../store/journal-file.ts';
import type { RunBrief } from '../../store/runs/run-brief.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';

/** Where a run is, by all its journal says so far; null where that cannot be read. */
export async function stateOfRun({ folder }: Pick<RunBrief, 'folder'>): Promise<RunState | null> {
  const events = await readJournalFile(join(folder, 'journal.jsonl')).catch(() => null);
  return events?.reduce(evolve, emptyState) ?? null;
}
