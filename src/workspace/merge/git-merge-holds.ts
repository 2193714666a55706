import type { TaskGround } from '../tasks/git-task-place.ts';
import { must } from '../tasks/git-task-trouble.ts';

/** Which of the paths a tree has. A folder counts if a file is in it that is not hidden; the empty path is the whole tree. */
export async function heldIn({ git }: Pick<TaskGround, 'git'>, tree: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const specs = paths.map((path) => `:(top,literal)${path}`);
  const listed = must(await git(['ls-tree', '-r', '-z', '--full-tree', '--name-only', tree, '--', ...specs]), 'the merged tree cannot be read');
  const files = listed.split('\0').filter(Boolean);
  return new Set(paths.filter((path) => files.some((file) => file === path || isShownIn(path, file))));
}

function isShownIn(folder: string, file: string): boolean {
  const start = folder === '' ? '' : `${folder}/`;
  return (
    file.startsWith(start) &&
    !file
      .slice(start.length)
      .split('/')
      .some((part) => part.startsWith('.'))
  );
}
