// The production files of a source folder: how long they are, and who imports whom. It knows nothing of how the folders are named.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const importing = /(?:\bfrom|\bimport\(|^import)\s*['"](\.[^'"]+\.tsx?)['"]/gm;

/** One entry per file: its relative path, its text and lines, and the files it imports, types included. */
export function readTree(folder) {
  const paths = readdirSync(folder, { recursive: true })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.ts$/.test(path))
    .sort();
  const known = new Set(paths);
  return paths.map((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const imports = [...text.matchAll(importing)].map(([, to]) => relative(folder, join(folder, dirname(path), to)));
    return { path, text, lines: text.split('\n').length - 1, imports: [...new Set(imports)].filter((to) => known.has(to)) };
  });
}

/** Files directly in the source folder count as one room. */
const roomOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.');

/** Each import that leads from one room into another. */
export const crossingsIn = (files) => files.flatMap(({ path, imports }) => imports.filter((to) => roomOf(to) !== roomOf(path)));
