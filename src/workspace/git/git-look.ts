import type { Sight } from '../../engine/ports/git.ts';
import { firstComplaint, type Git, headOf } from './git-command.ts';
import type { GitScratch } from './git-scratch.ts';
import { nameTree } from './git-tree.ts';

/** Where git cannot read the repository there is no tree, and so nothing that could be committed. */
export async function look(git: Git, scratch: GitScratch): Promise<Sight> {
  try {
    const head = await headOf(git);
    const headTree = head === null ? null : await treeOf(git, head);
    const { tree, problem } = await nameTree(git, await scratch.keeping());
    return { head, headTree, tree, problem: tree === null ? problem : null };
  } catch (error) {
    return { head: null, headTree: null, tree: null, problem: (error as Error).message };
  }
}

export async function treeOf(git: Git, commit: string): Promise<string> {
  const found = await git(['rev-parse', '--verify', `${commit}^{tree}`]);
  if (found.code !== 0) throw new Error(firstComplaint(found));
  return found.stdout.trim();
}
