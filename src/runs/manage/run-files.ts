import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface RunFile {
  /** Below the run's folder. */
  readonly path: string;
  readonly bytes: number;
}

/** What a run keeps, at most so many. Links are named as nothing and never followed. */
export async function runFiles(folder: string, most: number): Promise<readonly RunFile[]> {
  const files: RunFile[] = [];
  const open = [folder];
  for (let path = open.shift(); path !== undefined && files.length < most; path = open.shift()) {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const found = join(path, entry.name);
      if (entry.isDirectory()) open.push(found);
      if (entry.isFile()) files.push({ path: relative(folder, found), bytes: (await stat(found).catch(() => null))?.size ?? 0 });
    }
  }
  return files.slice(0, most);
}
