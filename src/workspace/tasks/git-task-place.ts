import { mkdir, realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { firstComplaint, type Git, type Variables } from '../git/git-command.ts';
import { OUR_NAME } from '../git/git-place.ts';
import { GitTrouble, insistent } from './locks.ts';

/** The place in which the workers of a plan work, as the opener of its branches knows it. */
export interface TaskPlace {
  readonly git: Git;
  /** Without the variables that would lead git to another repository. */
  readonly env: Variables;
  /** The top of the operator's work tree, and the operator's current folder in it. */
  readonly topLevel: string;
  readonly cwd: string;
  /** The folder of all worktrees. */
  readonly worktreesRoot: string;
  /** A folder of the run that only the loop uses: it merges results there. */
  readonly mergeFolder: string;
  /** The operator's branch, without `refs/heads/`. */
  readonly base: string;
  readonly run: string;
  /** The remote that the machines of a fleet share; absent: there is no fleet. */
  readonly remote?: string | undefined;
  /** Copies, links and sets up what git does not check out. Returns one line on failure. */
  readonly furnish: (made: { readonly path: string; readonly cwd: string }, signal: AbortSignal) => Promise<string | null>;
}

/** The same, with values that are asked for once. */
export interface TaskGit extends TaskPlace {
  /** Waits for locks, removes those that a dead git left in Ralph's own refs and worktrees, and does not need the operator's name. */
  readonly git: Git;
  /** The folder that all worktrees of the repository share. */
  readonly commonDir: () => Promise<string>;
  /** Git's own folder for the operator's work tree. */
  readonly gitDir: () => Promise<string>;
  /** Creates the folder and resolves links in its name, as git lists it. */
  readonly root: () => Promise<string>;
  /** The folder in a worktree that corresponds to the operator's current folder; it is created. */
  readonly cwdIn: (path: string) => Promise<string>;
}

/** Ralph's own commits do not use the operator's signing, maintenance or submodule settings. */
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

/** Remembers a result; after a failure the next call asks again. */
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

/** The folder of a branch has its name, without the prefix of Ralph's branches. */
export const folderOf = (branch: string) => (branch.startsWith(OURS) ? branch.slice(OURS.length) : branch);
export const branchOf = (path: string) => `${OURS}${basename(path)}`;

const NAMELESS = /tell me who you are|auto-detect email|empty ident name|no (?:name|email) was given/i;

/** Uses the operator's name, or Ralph's where the operator has none. Git checks for a name before it does anything. */
export function named(git: Git): Git {
  return async (args, own) => {
    const answer = await git(args, own);
    const isNameless = answer.code !== 0 && NAMELESS.test(answer.stderr);
    return isNameless ? await git(args, { ...own, ...OUR_NAME }) : answer;
  };
}
