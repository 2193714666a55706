import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

let known: string | null = null;

/** The path of a file or folder of our package. Works from the source and from a bundle at any depth. Folders of the bundle have a package.json of their own, so it looks for the licence. */
export function packagePath(...names: readonly string[]): string {
  known ??= nearestPackage(import.meta.dirname);
  return join(known, ...names);
}

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'LICENSE'))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error(`No LICENSE lies above ${import.meta.dirname}.`);
  return nearestPackage(above);
}
