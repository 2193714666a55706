import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openFileJournal } from '../../src/store/journal-file.ts';
import { memoryJournal } from '../support/memory-journal.ts';
import { honoursTheJournalContract } from './journal.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

honoursTheJournalContract('the journal in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  folders.push(folder);
  const path = join(folder, 'journal.jsonl');
  return { journal: await openFileJournal(path), reopen: () => openFileJournal(path) };
});

honoursTheJournalContract('the journal in memory', async () => {
  const journal = memoryJournal();
  return { journal, reopen: async () => memoryJournal(journal.events) };
});
