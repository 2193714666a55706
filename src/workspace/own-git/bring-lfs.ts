import { createHash, randomUUID } from 'node:crypto';
import { closeSync, createReadStream } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegular, pathExists } from '../../kit/files/read.ts';
import { GitTrouble } from '../tasks/locks.ts';

const PART = /^[0-9a-f]{2}$/;
const OBJECT = /^[0-9a-f]{64}$/;

/**
 * Brings over the objects of git-lfs from the repository of an agent: a commit that names them would be useless without them. The contents of each file must
 * match its name, and every folder on both ways must be real: an agent can put a link anywhere, and may once have worked in the operator's repository itself.
 * Only the operator's store as a whole may be a link, since people share it so.
 */
export async function bringLfs(folder: string, commonDir: string): Promise<void> {
  const from = join(folder, 'lfs', 'objects');
  if (!(await isFolder(join(folder, 'lfs')))) return;
  for (const first of await foldersIn(from)) {
    for (const second of await foldersIn(join(from, first))) {
      for (const name of await readdir(join(from, first, second))) {
        if (OBJECT.test(name) && name.startsWith(first + second))
          await bring(join(from, first, second, name), { store: join(commonDir, 'lfs'), folders: ['objects', first, second], name });
      }
    }
  }
}

const isFolder = async (path: string) => (await lstat(path).catch(() => null))?.isDirectory() === true;

async function foldersIn(path: string): Promise<readonly string[]> {
  if (!(await isFolder(path))) return [];
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && PART.test(entry.name)).map(({ name }) => name);
}

interface Target {
  readonly store: string;
  readonly folders: readonly string[];
  readonly name: string;
}

/** Nobody can change the file any more, because the agent has ended. */
async function bring(path: string, { store, folders, name }: Target): Promise<void> {
  const to = join(store, ...folders);
  if ((await pathExists(join(to, name))) || (await digestOf(path)) !== name) return;
  await mkdir(store, { recursive: true });
  for (const [index] of folders.entries()) {
    const way = join(store, ...folders.slice(0, index + 1));
    await mkdir(way).catch(() => undefined);
    if (!(await isFolder(way))) throw new GitTrouble(`${way} is not a folder, so a large file of an agent cannot be brought over`);
  }
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
