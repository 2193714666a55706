import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where the files of an isolated run lie until they land; null: none is at work in this work tree. */
export function ownFolderIn(workTree: string): string | null {
  const runs = join(workTree, '.git/ralph/runs');
  const folders = existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run, 'isolated/tree')) : [];
  return folders.find((folder) => existsSync(folder)) ?? null;
}

/** Whether an agent has made the file, landed or not. */
export function isMade(workTree: string, name: string): boolean {
  return [workTree, ownFolderIn(workTree)].some((folder) => folder !== null && existsSync(join(folder, name)));
}
