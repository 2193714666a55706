import { appendFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAtOrBelow, type TreePath } from './tree-changes.ts';

const NAME = 'landed.jsonl';

/** Remembers which paths Ralph puts into the operator's work tree, be it none: all else there is the operator's own doing. Lies beside the folder of the run's files. */
export async function rememberLanded(folder: string, paths: readonly TreePath[]): Promise<void> {
  await appendFile(join(dirname(folder), NAME), paths.map((path) => `${JSON.stringify(path)}\n`).join(''));
}

/** Whether a run may have changed a path. Of one that worked in place nobody can tell. */
export async function landedBy(runFolder: string): Promise<(path: TreePath) => boolean> {
  const text = await readFile(join(runFolder, NAME), 'utf8').catch(() => null);
  if (text === null) return () => true;
  const paths = text.split('\n').flatMap((line) => pathIn(line));
  const exact = new Set(paths);
  const folders = paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  return (path) => exact.has(path) || isAtOrBelow(path, folders);
}

/** The last line may be half of one. */
function pathIn(line: string): readonly TreePath[] {
  try {
    return [JSON.parse(line) as string];
  } catch {
    return [];
  }
}
