import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let known: string | null = null;

/** The path of a file or folder of our package. Works from the source and from a bundle at any depth. */
export function packagePath(...names: readonly string[]): string {
  known ??= nearestPackage(dirname(fileURLToPath(import.meta.url)));
  return join(known, ...names);
}

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error(`No package.json lies above ${fileURLToPath(import.meta.url)}.`);
  return nearestPackage(above);
}
