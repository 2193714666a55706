import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isThere } from '../../kit/files/is-there.ts';
import { openFolders } from '../git/git-open-folders.ts';
import type { TaskGround } from './git-task-place.ts';
import { findWorktree, hasFolder, likelyAdmin, setUnready } from './git-task-worktree.ts';

/** Takes a worktree away, whatever state it is in, with all that git knows of it. What is in it is nobody's any more. */
export async function removeTaskWorktree(ground: TaskGround, path: string): Promise<void> {
  const found = await findWorktree(ground, path);
  if (found !== null) {
    await setUnready(found);
    if (await hasFolder(found)) {
      const removed = await ground.git(['worktree', 'remove', '--force', '--force', path]);
      if (removed.code === 0) return;
    }
  }
  await removeFolder(path);
  // What a git that was killed has only begun to make has no name in it yet, but is called like its folder.
  const admin = found?.admin ?? (await likelyAdmin(ground, path));
  if (found !== null || !(await isThere(join(admin, 'gitdir')))) await rm(admin, { recursive: true, force: true, maxRetries: 3 });
}

async function removeFolder(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  const isGone = await remove().then(
    () => true,
    () => false,
  );
  if (isGone) return;
  // Some tools make their caches read-only.
  const inside = (await readdir(path, { recursive: true }).catch(() => [])).map(String);
  await openFolders(
    dirname(path),
    ['', ...inside].map((name) => join(basename(path), name, 'x')),
  );
  await remove();
}
