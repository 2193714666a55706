import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { environment } from '../../sandbox/environment/environment.ts';
import { openCopiedFiles } from '../../workspace/copied-files.ts';
import { type GitCli, openGitCli } from '../../workspace/git/git-cli.ts';
import type { Repository } from '../deciders/repository.ts';
import { repositoryOf } from '../prove/proof-copy.ts';

/** The current files of a project, for a look at its gates. */
export interface OpenTree extends AsyncDisposable {
  readonly repository: Repository;
  /** The folder in which the gates run, relative to the top. */
  readonly below: string;
  /** What copies can be made from; null without git: `why` has the reason. */
  readonly copied: { readonly git: GitCli; readonly tree: string } | null;
  readonly why: string;
}

/** With git all files that it does not ignore, else all files in the folder. */
export async function openTree(cwd: string): Promise<OpenTree> {
  const git = await openGitCli(cwd, environment());
  if (git === null) return { ...(await lyingIn(cwd)), why: 'this is no git repository', async [Symbol.asyncDispose]() {} };
  const close = () => git[Symbol.asyncDispose]();
  try {
    const below = await git.history.below();
    const sight = await git.look();
    if (sight?.tree == null) {
      const { repository } = await lyingIn(git.topLevel);
      return { repository, below, copied: null, why: sight?.problem ?? 'git cannot name the files', [Symbol.asyncDispose]: close };
    }
    const { tree } = sight;
    return { repository: await repositoryOf(tree, git.history), below, copied: { git, tree }, why: '', [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Folders of installed or generated files. */
const LEFT_OUT = new Set(['.git', 'node_modules', '.venv', 'target', '__pycache__']);
const MOST_PATHS = 20_000;

async function lyingIn(top: string): Promise<Pick<OpenTree, 'repository' | 'below' | 'copied'>> {
  const paths: string[] = [];
  const folders = [top];
  for (let folder = folders.shift(); folder !== undefined && paths.length < MOST_PATHS; folder = folders.shift()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isFile()) paths.push(relative(top, path));
      else if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) folders.push(path);
    }
  }
  const on = openCopiedFiles(top);
  return { repository: { paths, read: async (path) => on.read(path) }, below: '', copied: null };
}
