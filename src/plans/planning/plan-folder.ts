import { lstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** What `ralph plan init` makes in a project, and what its plans are moved to when they are done (seed 003). */
export const FOLDER = 'ralph';
export const ARCHIVE = 'ralph-archive';
/** While a loop is at work; it is never committed. */
export const MARKER = '.ralph-active';

/** The folder that is meant by `--project-dir`. */
export function projectFolder(cwd: string, said: string | null): string {
  const path = resolve(cwd, said ?? '.');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new OperatorError('no-project', `there is no directory ${path}`, { hint: 'Check --project-dir.', exitCode: 2 });
}

/** Through a link we would write somewhere else, and a pipe is no place for a plan. */
export function refuseAllButFiles(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw new OperatorError('plan-not-written', `cannot write ${path}: it is there and is no regular file`, { hint: 'Move it away and try again.', exitCode: 2 });
}

export function refuseAllButFolders(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return;
  throw new OperatorError('plan-not-written', `cannot write to ${path}: it is there and is no directory`, { hint: 'Move it away and try again.', exitCode: 2 });
}
