import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export const projectRoot = join(import.meta.dirname, '../..');

const notOurs = new Set(['node_modules', 'dist', 'coverage', 'fixtures', 'violations']);

/** Every file of a folder whose name ends so, as paths from the project's root; hidden, built and fixture folders are left out. */
export function filesEndingWith(ending: string, folder = projectRoot): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return notOurs.has(entry.name) || entry.name.startsWith('.') ? [] : filesEndingWith(ending, path);
    return entry.name.endsWith(ending) ? [relative(projectRoot, path)] : [];
  });
}
