import { join } from 'node:path';
import { normalizeDependencies } from '../../../plans/graph/task-dependencies.ts';
import { writeAtomic } from '../../../kit/files/write-atomic.ts';
import { parseYaml } from '../../../settings/parse-yaml.ts';
import { taskId } from '../../../store/task-ids.ts';
import { readTaskFile, unusable } from './task-files-read.ts';

const CONFIG = 'TASK-CONFIG.yaml';
const KEY = 'depends_on';

/** The parser compares every key with every other: a megabyte of them takes it half a minute. */
const LONGEST = 100_000;

/** What the configuration of a task says that it depends on; nothing where there is none. */
export async function keptDependencies(folder: string): Promise<readonly string[]> {
  const path = join(folder, CONFIG);
  const text = await readTaskFile(folder, CONFIG);
  if (text === null) return [];
  if (text.length > LONGEST) throw unusable(path, `it has more than ${LONGEST} characters`);
  const read = await parseYaml(text);
  if (read.kind === 'unreadable') throw unusable(path, read.reason);
  return checked(normalizeDependencies(namesIn(read.value, path)), path);
}

/** Writes them down for later starts. What else is in the file stays, comments as well; one that says the same already is left alone. */
export async function keepDependencies(folder: string, dependsOn: readonly string[]): Promise<void> {
  if ((await keptDependencies(folder)).join() === dependsOn.join()) return;
  const { parseDocument } = await import('yaml');
  const document = parseDocument((await readTaskFile(folder, CONFIG)) ?? '');
  if (dependsOn.length === 0) document.delete(KEY);
  else document.set(KEY, document.createNode(dependsOn));
  const path = join(folder, CONFIG);
  await writeAtomic(path, document.toString({ lineWidth: 0 }), 0o644).catch((error: Error) => {
    throw unusable(path, error.message, error);
  });
}

function namesIn(value: unknown, path: string): readonly string[] {
  if (value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw unusable(path, 'it must be a map of settings');
  const named: unknown = (value as Readonly<Record<string, unknown>>)[KEY] ?? [];
  const names: readonly unknown[] = Array.isArray(named) ? named : [named];
  if (!names.every((name) => typeof name === 'string')) throw unusable(path, `${KEY} must be a list of task ids`);
  return names;
}

/** They become paths, so a file that anybody may have written is trusted no more than a flag. */
function checked(ids: readonly string[], path: string): readonly string[] {
  try {
    return ids.map(taskId);
  } catch (error) {
    throw unusable(path, (error as Error).message, error);
  }
}
