import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stories } from '../../src/recipes/review/stories.ts';
import { loop, run } from '../../src/recipes/run/run.ts';
import { job } from '../../src/recipes/supervise/job.ts';
import { supervise } from '../../src/recipes/supervise/supervise.ts';
import { work } from '../../src/recipes/work/work.ts';
import { digestOf, openLine, sealLine } from '../../src/store/journal-file.ts';

/** Journals as the built program has written them; `npm run record:journals` writes them anew. */
export const JOURNALS = fileURLToPath(new URL('../fixtures/journals/', import.meta.url));

export const RECIPES = { run, loop, supervise, job, work, stories } as const;

export const recordedNames = (): readonly string[] =>
  readdirSync(JOURNALS)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => basename(file, '.jsonl'))
    .sort();

export const journalPath = (name: string) => join(JOURNALS, `${name}.jsonl`);

/** The lines of a journal with nothing of this machine in them, sealed anew. What replays needs stays as it is. */
export function withoutTheMachine(path: string, folders: Readonly<Record<string, string>>): string {
  let digest = '';
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const sealed = lines.map((whole) => {
    const named = Object.entries(folders).reduce((text, [folder, name]) => text.replaceAll(folder, name), openLine(whole).line);
    const line = JSON.stringify(JSON.parse(named), (key, value) => STABLE[key]?.(value) ?? value);
    digest = digestOf(digest, line);
    return sealLine(line, digest);
  });
  return `${sealed.join('\n')}\n`;
}

/** Who wrote it, and what it had started. */
const STABLE: Readonly<Record<string, (value: unknown) => unknown>> = {
  host: () => 'a-host',
  boot_id: () => 'a-boot',
  pid: () => 4242,
  start_time: () => '4242',
};

/** The same value, the same text: keys sorted, sets and maps as lists. */
export function canonical(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, each) => ordered(each), indent);
}

function ordered(value: unknown): unknown {
  if (value instanceof Map) return [...value.entries()];
  if (value instanceof Set) return [...value];
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
