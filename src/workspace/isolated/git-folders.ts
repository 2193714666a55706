import { bytesAt, found } from './carry.ts';
import type { Change, TreePath } from './tree-changes.ts';

/** The names from which git recognises a folder as a repository. */
const PARTS = new Set(['HEAD', 'commondir', 'config', 'config.worktree', 'objects', 'refs', 'hooks', 'info', 'worktrees']);

/**
 * Folders of a tree that git takes for a repository although they are not called `.git`, if one of these changes is a part of them. In such a folder git
 * would obey its settings.
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
