import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../kit/pure/one-line.ts';
import type { Unmerged } from './git-task-sight.ts';
import { GitTrouble } from './git-task-trouble.ts';
import type { TaskWorktree } from './git-task-worktree.ts';

const MOST_NAMED = 5;
const MARKERS = /^(?:<{7}|>{7})(?: |$)/m;

/** Who resolves a conflict need not `git add` the file: that neither side is in it as it was, and no marker, tells as much. */
export async function refuseUnresolved(worktree: TaskWorktree, unmerged: readonly Unmerged[]): Promise<void> {
  if (unmerged.length === 0) return;
  const resolved = await Promise.all(unmerged.map((conflict) => isResolved(worktree, conflict)));
  const left = unmerged.filter((_, index) => !resolved[index]).map(({ path }) => path);
  if (left.length === 0) return;
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
  throw new GitTrouble(`conflicts are not resolved: ${left.slice(0, MOST_NAMED).map(oneLine).join(', ')}${more}`);
}

async function isResolved({ git, path: top }: TaskWorktree, { path, sides }: Unmerged): Promise<boolean> {
  if (sides.includes('')) return false;
  const text = await readFile(join(top, path), 'utf8').catch(() => null);
  if (text === null || text.includes('\0') || MARKERS.test(text)) return false;
  const { code, stdout } = await git(['hash-object', '--', path], {});
  return code === 0 && !sides.includes(stdout.trim());
}
