import { bytesAt, found } from './carry.ts';
import type { Change, TreePath } from './tree-changes.ts';

/** What a folder is made of that git takes for a repository. */
const PARTS = new Set(['HEAD', 'commondir', 'config', 'config.worktree', 'objects', 'refs', 'hooks', 'info', 'worktrees']);

/**
 * Folders of a tree that git takes for a repository without being called `.git`, as far as one of these changes is a part of them: who enters one has git obey
 * its settings.
 */
export function gitFoldersIn(tree: string, changes: readonly Change[]): readonly TreePath[] {
  const folders = new Set(changes.flatMap(({ path, after }) => (after === null ? [] : foldersWithParts(path))));
  return [...folders].filter((folder) => isGitFolder(tree, folder));
}

function foldersWithParts(path: TreePath): readonly TreePath[] {
  const names = path.split('/');
  return names.flatMap((name, index) => (index > 0 && PARTS.has(name) ? [names.slice(0, index).join('/')] : []));
}

function isGitFolder(tree: string, folder: TreePath): boolean {
  const has = (name: string) => found(bytesAt(tree, `${folder}/${name}`)) !== undefined;
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')));
}
