import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let known: string | null = null;

/** A file or folder of our package, wherever this module is read from: its source, or a bundle of any depth. */
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
