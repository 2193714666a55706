import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Where the files of a run that has its own lie until they land; null: none is at work in this work tree. */
export function ownFolderIn(workTree: string): string | null {
  const runs = join(workTree, '.git/ralph/runs');
  const names = existsSync(runs) ? readdirSync(runs) : [];
  const folders = names.flatMap((run) => [join(runs, run, 'isolated/tree'), join(`${workTree}.ralph/copy`, run, basename(workTree))]);
  return folders.find((folder) => existsSync(folder)) ?? null;
}

/** Whether an agent has made the file, landed or not. */
export function isMade(workTree: string, name: string): boolean {
  return [workTree, ownFolderIn(workTree)].some((folder) => folder !== null && existsSync(join(folder, name)));
}
