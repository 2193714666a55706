import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Whether nobody else could have put that socket there: its folder is ours alone, and the folder above is not one in which others may
 * exchange it. In a folder such as /tmp anybody may have made ours first.
 */
export function doorFolderIsOurs(socketPath: string): boolean {
  const us = process.getuid?.();
  if (us === undefined) return true;
  try {
    const folder = lstatSync(dirname(socketPath));
    const above = lstatSync(dirname(dirname(socketPath)));
    return isPrivate(folder.mode) && folder.isDirectory() && folder.uid === us && isFixed(above.mode) && above.isDirectory() && [us, 0].includes(above.uid);
  } catch {
    return false;
  }
}

const isPrivate = (mode: number) => (mode & 0o077) === 0;

/** With the sticky bit all may write and none may move what is another's. */
const isFixed = (mode: number) => (mode & 0o002) === 0 || (mode & 0o1000) !== 0;
