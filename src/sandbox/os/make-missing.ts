import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../kit/files/has-code.ts';
import { makeFoldersBelow } from '../../kit/files/make-folder.ts';

/** Makes the folders of a path below one that is there. One that is refused (a file in its place, a read-only disk) is no reason not to start. */
export async function makeFolderIn(base: string, name: string, mode = 0o755): Promise<void> {
  await makeFoldersBelow(base, join(base, name), mode).catch(() => undefined);
}

/** Makes an empty file unless something has its name. */
export async function makeFile(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o644);
    await handle.close();
  } catch (error) {
    if (!['EEXIST', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].some((code) => hasCode(error, code))) throw error;
  }
}
