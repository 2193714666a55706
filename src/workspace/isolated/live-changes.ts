import { existsSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import type { Variables } from '../git/git-command.ts';
import { feedGit } from '../git/git-feed.ts';
import { bytesAt, found, isSameFile } from './carry.ts';
import { isAtOrBelow, type TreePath } from './tree-changes.ts';

interface LivePlace {
  readonly topLevel: string;
  readonly env: Variables;
  /** The folder with the run's own files, and the folder with its state. */
  readonly tree: string;
  readonly folder: string;
}

const MOST_FILES = 200;
const MOST_BYTES = 64 * 1024 * 1024;
/** Shows the files as they are, and runs nothing that the files or their settings name. */
const PLAIN = ['--no-index', '--no-ext-diff', '--no-textconv', '--no-color'];

/** What a running agent has changed that has not landed: each file by itself, as plain bytes. The agent may still be writing, so a file may be incomplete. */
export async function liveChanges({ topLevel, env, tree, folder }: LivePlace, isStat: boolean): Promise<string> {
  if (!existsSync(join(folder, 'state.json')))
    throw new OperatorError('nothing-live', 'this run has no files of its own now', { hint: 'Leave out --live.', exitCode: 2 });
  const apart = await makeTemporaryFolder('live');
  const place = { cwd: tree, env: { ...withoutGitVariables(env), GIT_OPTIONAL_LOCKS: '0' } };
  try {
    // The folder has not been read yet, so its own index does not exist.
    await copyFile(join(folder, 'reader', 'there'), join(apart, 'index')).catch(() => copyFile(join(folder, 'reader', 'here'), join(apart, 'index')));
    const own = { GIT_DIR: join(folder, 'reader'), GIT_WORK_TREE: tree, GIT_INDEX_FILE: join(apart, 'index') };
    const listed = await feedGit(place, { args: ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], own, mostBytes: MOST_BYTES });
    const paths = [...new Set(listed.stdout.toString('latin1').split('\0'))].filter((path) => path !== '' && !isAtOrBelow(path, ['.ralph']));
    const changed = paths.filter((path) => isChanged(topLevel, tree, path)).toSorted();
    const parts = [];
    for (const path of changed.slice(0, MOST_FILES)) {
      const sides = [topLevel, tree].map((side) => (found(bytesAt(side, path)) === undefined ? '/dev/null' : bytesAt(side, path).toString()));
      // Git exits with 1 if there is a difference.
      const { stdout } = await feedGit(
        { ...place, cwd: apart },
        { args: ['diff', ...PLAIN, isStat ? '--stat=120' : '--patch', '--', ...sides], mostBytes: MOST_BYTES },
      );
      parts.push(stdout.toString().replaceAll(`${tree}/`, '/').replaceAll(`${topLevel}/`, '/'));
    }
    return `${parts.join('')}${changed.length > MOST_FILES ? `and ${changed.length - MOST_FILES} more files\n` : ''}`;
  } finally {
    await rm(apart, { recursive: true, force: true });
  }
}

function isChanged(topLevel: string, tree: string, path: TreePath): boolean {
  const [here, there] = [bytesAt(topLevel, path), bytesAt(tree, path)];
  if (found(here) === undefined && found(there) === undefined) return false;
  return !isSameFile(here, there);
}
