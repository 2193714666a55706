import { appendFile } from 'node:fs/promises';

export const append = (line: string): Promise<void> => appendFile('journal.jsonl', line);
