import { readdirSync } from 'node:fs';

/** The names of the folders in a folder; links are none. Empty where there is no folder. */
export function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
