import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const SPOOLS = ['agent.jsonl', 'agent.stderr'];

/** Epoch ms at which the newest attempt of a run last printed something; null when nothing tells. Between two events of a journal an agent may work for hours. */
export async function lastSignMs(runFolder: string): Promise<number | null> {
  const iterations = join(runFolder, 'iterations');
  const newest = (await namesIn(iterations)).at(-1);
  if (newest === undefined) return null;
  const attempts = await namesIn(join(iterations, newest));
  const files = attempts.flatMap((attempt) => SPOOLS.map((spool) => join(iterations, newest, attempt, spool)));
  const times = await Promise.all(files.map(async (file) => (await lstat(file).catch(() => null))?.mtimeMs ?? 0));
  const last = Math.max(0, ...times);
  return last === 0 ? null : Math.round(last);
}

/** They begin with their number. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
}
