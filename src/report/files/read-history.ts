import { join } from 'node:path';
import { streamJournalFile } from '../../store/journal-file.ts';
import { openHistory, type RunHistory } from '../history/run-history.ts';

/** The history of a run from its journal, also while the run goes on: a line that is being written is left out. */
export async function readHistory(runFolder: string): Promise<RunHistory> {
  const fold = openHistory();
  for await (const event of streamJournalFile(join(runFolder, 'journal.jsonl'))) fold.add(event);
  return fold.history();
}
