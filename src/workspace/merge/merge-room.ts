import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git-command.ts';
import { feedGit } from '../git/git-feed.ts';
import type { TaskGit } from '../tasks/git-task-place.ts';
import { GitTrouble, must } from '../tasks/locks.ts';

/** Where a run merges: its own index, and a folder with the few files that git or the loop needs. No agent and no gate works here. */
export interface MergeRoom extends AsyncDisposable {
  readonly folder: string;
  readonly git: Git;
  /** Puts that tree into the index, and the files that the pathspecs name into the folder. */
  hold(tree: string, pathspecs: readonly string[]): Promise<void>;
  /** Puts that commit into the index. Does nothing if it is there already, as after it landed. */
  stand(commit: string): Promise<void>;
  landed(commit: string): void;
  /** The tree of the index, with the files that the pathspecs name taken from the folder. */
  treeWith(pathspecs: readonly string[]): Promise<string>;
}

/** Git reads these only from files: which driver merges what, and what must not be added. */
const ALWAYS_SHOWN = [':(top,glob)**/.gitattributes', ':(top,glob)**/.gitignore'];

/** Ignores a sparse checkout of the operator: all files are here. */
const WHOLE = ['-c', 'core.sparseCheckout=false', '-c', 'index.sparse=false'];
const MOST_LISTED_BYTES = 64 * 1024 * 1024;

export function openMergeRoom(ground: TaskGit): MergeRoom {
  const folder = join(ground.mergeFolder, 'files');
  const variables = async () => ({ GIT_DIR: await ground.gitDir(), GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(ground.mergeFolder, 'index') });
  const git: Git = async (args, own) => ground.git(['-C', folder, ...WHOLE, ...args], { ...(await variables()), ...own });
  const feed = async (args: readonly string[], stdin: string) => {
    const fed = await feedGit({ cwd: folder, env: ground.env }, { args: [...WHOLE, ...args], own: await variables(), stdin, mostBytes: MOST_LISTED_BYTES });
    if (!fed.isWhole) throw new GitTrouble(`what was merged cannot be read: ${fed.stderr.trim()}`);
    return fed.stdout.toString();
  };
  let isMade = false;
  let standing: string | null = null;
  const hold = async (tree: string, pathspecs: readonly string[]) => {
    standing = null;
    // The first time this also removes a partial index and its lock, which a killed loop may have left.
    await rm(isMade ? folder : ground.mergeFolder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    isMade = true;
    must(await git(['read-tree', tree]), 'what is to be merged cannot be read');
    const shown = await feed(['ls-files', '-z', '--', ...ALWAYS_SHOWN, ...pathspecs], '');
    if (shown !== '') await feed(['checkout-index', '--force', '-z', '--stdin'], shown);
  };
  return {
    folder,
    git,
    hold,
    async stand(commit) {
      if (standing !== commit) await hold(commit, []);
      standing = commit;
    },
    landed(commit) {
      standing = commit;
    },
    async treeWith(pathspecs) {
      await addAll(git, pathspecs);
      return must(await git(['write-tree']), 'the merged files cannot be named');
    },
    async [Symbol.asyncDispose]() {
      await rm(ground.mergeFolder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const NOT_THERE = /pathspec '(.*)' did not match any files/;

async function addAll(git: Git, pathspecs: readonly string[]): Promise<void> {
  if (pathspecs.length === 0) return;
  const added = await git(['add', '--all', '--', ...pathspecs]);
  const missing = NOT_THERE.exec(added.stderr)?.[1];
  if (missing !== undefined && pathspecs.includes(missing)) {
    await addAll(
      git,
      pathspecs.filter((pathspec) => pathspec !== missing),
    );
    return;
  }
  // A plan that is ignored is not in the history, and stays out of it.
  if (added.code !== 1 || !/ignored by one of your \.gitignore files/.test(added.stderr)) must(added, 'the plan cannot be committed');
}
