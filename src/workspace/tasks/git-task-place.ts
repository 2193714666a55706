import { mkdir, realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { firstComplaint, type Git, type Variables } from '../git/git-command.ts';
import { named } from './git-task-name.ts';
import { GitTrouble, insistent } from './locks.ts';

/** Where a crew works, as whoever opens its branches knows it. */
export interface TaskPlace {
  readonly git: Git;
  /** Without the variables that would lead git elsewhere. */
  readonly env: Variables;
  /** The top of the operator's work tree, and where in it the operator is. */
  readonly topLevel: string;
  readonly cwd: string;
  /** The folder all worktrees lie in. */
  readonly worktreesRoot: string;
  /** A folder of the run's own, where nobody but the loop comes: results are merged there. */
  readonly mergeFolder: string;
  /** The operator's branch, without `refs/heads/`. */
  readonly base: string;
  readonly run: string;
  /** Copies, links and sets up what git does not bring. One line, if that cannot be done. */
  readonly furnish: (made: { readonly path: string; readonly cwd: string }, signal: AbortSignal) => Promise<string | null>;
}

/** The same, with what is asked once and then known. */
export interface TaskGit extends TaskPlace {
  /** Waits for locks, breaks those that a dead git has left in our places, and needs no name of the user's. */
  readonly git: Git;
  /** The folder every worktree of the repository shares. */
  readonly commonDir: () => Promise<string>;
  /** Git's own folder for the operator's work tree. */
  readonly gitDir: () => Promise<string>;
  /** Made, and without links in its name, as git lists what is in it. */
  readonly root: () => Promise<string>;
  /** As far below the top of a worktree as the operator is below the top of theirs; made. */
  readonly cwdIn: (path: string) => Promise<string>;
}

/** Signing, upkeep and submodules are the user's, and none of them belongs into what we do behind their back. */
const QUIETLY = ['commit.gpgSign=false', 'maintenance.auto=false', 'submodule.recurse=false', 'advice.addIgnoredFile=false'].flatMap((setting) => [
  '-c',
  setting,
]);

export function openTaskGit(place: TaskPlace): TaskGit {
  const plain: Git = (args, own) => place.git([...QUIETLY, ...args], own);
  const folders = once(async () => {
    const found = await plain(['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-dir']);
    const [common = '', own = ''] = found.stdout.split('\n');
    if (found.code !== 0) throw new GitTrouble(firstComplaint(found));
    return { common, own };
  });
  const commonDir = async () => (await folders()).common;
  const root = once(async () => {
    await mkdir(place.worktreesRoot, { recursive: true });
    return await realpath(place.worktreesRoot);
  });
  const below = once(async () => relative(place.topLevel, await realpath(place.cwd)));
  return {
    ...place,
    git: named(insistent(plain, async () => ({ commonDir: await commonDir(), root: await root() }))),
    commonDir,
    gitDir: async () => (await folders()).own,
    root,
    async cwdIn(path) {
      const cwd = join(path, await below());
      await mkdir(cwd, { recursive: true });
      return cwd;
    },
  };
}

/** What went wrong is asked again. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

const OURS = 'ralph/';

/** The folder of a branch has its name, without what all our branches begin with. */
export const folderOf = (branch: string) => (branch.startsWith(OURS) ? branch.slice(OURS.length) : branch);
export const branchOf = (path: string) => `${OURS}${basename(path)}`;
