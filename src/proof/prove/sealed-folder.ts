import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { isBelow } from '../../sandbox/os/mount-plan.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import { readSealedList, SEALED_LIST, type SealedList } from '../sealed/sealed-list.ts';

export interface SealedFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: string;
}

export interface SealedFolder {
  readonly list: SealedList;
  /** All files except the list: the expected answers stay with the loop. */
  readonly drivers: readonly SealedFile[];
}

const MOST_FILES = 2000;
const MOST_BYTES = 64 * 1024 ** 2;

/** Throws an OperatorError that says what is wrong, and nothing about the contents. */
export function readSealedFolder(folder: string): SealedFolder {
  const list = readSealedList(textOf(folder));
  if ('problem' in list) throw refused(`${SEALED_LIST} in ${folder} ${list.problem}`, 'ralph sealed new shows a working example.');
  return { list, drivers: filesIn(folder).filter(({ path }) => path !== SEALED_LIST) };
}

/** Before a run starts: checks that the folder exists, is readable, and is not where agents work. */
export function checkSealed(settings: RunSettings, git: GitCli | null): void {
  const { proof, gates, wall } = settings;
  const folder = proof?.sealed;
  if (folder === undefined) return;
  if (git === null) throw refused('sealed checks need a git repository, to have a copy of the work', 'Run `git init`, or leave --sealed out.');
  refuseWhereAgentsWork(folder, git, wall.writable);
  readSealedFolder(folder);
  if (gates.length === 0 && !factsOf(settings).hasTasks)
    throw refused('sealed checks come last, and there is no check before them', 'Add --check "npm test", or --guardrail for ralph run.');
}

/** Checked first, so that nobody is told to create a folder there. */
export function refuseWhereAgentsWork(folder: string, git: GitCli, writable: readonly string[]): void {
  const real = realOf(folder);
  const kept = [git.topLevel, git.commonDir, ...(basename(git.commonDir) === '.git' ? [dirname(git.commonDir)] : [])];
  const around = [...kept, ...writable].map(realOf).find((place) => isBelow(real, place) || isBelow(place, real));
  if (around !== undefined)
    throw refused(`the sealed folder ${folder} is not apart from ${around}, where agents work`, 'Name one outside of the repository, such as beside it.');
}

function textOf(folder: string): string {
  try {
    if (readdirSync(folder).length === 0) throw refused(`the sealed folder ${folder} is empty`, `Make an example with: ralph sealed new ${folder}`);
    return readFileSync(join(folder, SEALED_LIST), 'utf8');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw refused(`the sealed folder ${folder} cannot be used: ${reasonOf(error)}`, `Make an example with: ralph sealed new ${folder}`);
  }
}

function filesIn(folder: string): readonly SealedFile[] {
  try {
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => join(parentPath, name));
    const files = paths.map((path) => ({ path, found: statSync(path) })).filter(({ found }) => found.isFile());
    const bytes = files.reduce((sum, { found }) => sum + found.size, 0);
    if (files.length > MOST_FILES || bytes > MOST_BYTES)
      throw refused(`the sealed folder ${folder} is too large`, `At most ${MOST_FILES} files and ${MOST_BYTES / 1024 ** 2} MiB are copied.`);
    return files.map(({ path, found }) => ({
      path: relative(folder, path),
      bytes: readFileSync(path),
      mode: (found.mode & 0o100) === 0 ? '100644' : '100755',
    }));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw refused(`the sealed folder ${folder} cannot be read: ${reasonOf(error)}`, 'Mend its permissions.');
  }
}

function reasonOf(error: unknown): string {
  const { code = '', path = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return basename(path) === SEALED_LIST ? `there is no ${SEALED_LIST} in it` : 'it is not there';
  return code === 'ENOTDIR' ? 'it is no folder' : code === 'EACCES' ? 'it may not be read' : code || 'it cannot be read';
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('sealed-folder', message, { hint, exitCode: 2 });
}
