import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Removes every declaration file that the library's entry does not import, because nobody could use it. */
export function pruneTypes(dist) {
  const needed = typesReachedFrom(join(dist, 'index.d.ts'));
  const all = readdirSync(dist, { recursive: true }).map((path) => join(dist, path));
  for (const path of all) if (path.endsWith('.d.ts') && !needed.has(path)) rmSync(path);
}

function typesReachedFrom(entry) {
  const reached = new Set();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
      waiting.push(resolve(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  return reached;
}
