import { createHash, randomUUID } from 'node:crypto';
import { closeSync, createReadStream } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegular, pathExists } from '../../kit/files/read.ts';

const PART = /^[0-9a-f]{2}$/;
const OBJECT = /^[0-9a-f]{64}$/;

/**
 * Brings over the objects of git-lfs from the repository of an agent: a commit that names them would be useless without them. The contents of each file must
 * match its name.
 */
export async function bringLfs(folder: string, commonDir: string): Promise<void> {
  const from = join(folder, 'lfs', 'objects');
  for (const first of await foldersIn(from)) {
    for (const second of await foldersIn(join(from, first))) {
      for (const name of await readdir(join(from, first, second))) {
        if (OBJECT.test(name) && name.startsWith(first + second))
          await bring(join(from, first, second, name), join(commonDir, 'lfs/objects', first, second), name);
      }
    }
  }
}

async function foldersIn(path: string): Promise<readonly string[]> {
  if ((await lstat(path).catch(() => null))?.isDirectory() !== true) return [];
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && PART.test(entry.name)).map(({ name }) => name);
}

/** Nobody can change the file any more, because the agent has ended. */
async function bring(path: string, to: string, name: string): Promise<void> {
  if ((await pathExists(join(to, name))) || (await digestOf(path)) !== name) return;
  await mkdir(to, { recursive: true });
  const beside = join(to, `.${randomUUID()}`);
  try {
    await copyFile(path, beside);
    await rename(beside, join(to, name));
  } finally {
    await rm(beside, { force: true });
  }
}

/** Null if it is not a regular file. */
async function digestOf(path: string): Promise<string | null> {
  const fd = openRegular(path);
  if (fd === null) return null;
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream('', { fd, autoClose: false })) hash.update(chunk);
    return hash.digest('hex');
  } finally {
    closeSync(fd);
  }
}
