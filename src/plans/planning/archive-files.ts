import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../../kit/files/read.ts';
import { makeFolder, writeAtomic } from '../../kit/files/write.ts';
import { type PendingArchive, writePending } from './pending-archive.ts';
import { ARCHIVE, FOLDER, freshFiles, refuseAllButFiles, refuseAllButFolders } from './plan-folder.ts';

/** What is moved; prompt.md stays, for it is the project's own. */
const MOVED = ['prd.md', 'progress.txt', 'tasks.json'] as const;
/** Where an archive lies until it is whole. It holds copies only, so one that somebody left is thrown away. */
const PARTIAL = '.partial';

/** A name nobody has yet: the second archive of a day and a label is called `…-2`. */
export function freeName(project: string, wanted: string): string {
  const isFree = (name: string) => !existsSync(join(project, ARCHIVE, name));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (isFree(name)) return name;
  }
}

/** Copies the plan, adds what else belongs to it, and gives the whole its name at once. The plan itself is still where it was. */
export async function copyAside(project: string, pending: PendingArchive, added: Readonly<Record<string, string>>): Promise<void> {
  const partial = join(project, ARCHIVE, PARTIAL);
  refuseAllButFolders(join(project, ARCHIVE));
  for (const name of MOVED) refuseAllButFiles(join(project, FOLDER, name));
  await makeFolder(join(project, ARCHIVE), 0o755);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  for (const name of MOVED) {
    const source = join(project, FOLDER, name);
    if (await isThere(source)) await writeNew(join(partial, name), await readFile(source));
  }
  for (const [name, text] of Object.entries(added)) {
    await mkdir(join(partial, name, '..'), { recursive: true });
    await writeNew(join(partial, name), Buffer.from(text));
  }
  await writePending(project, pending);
  await rename(partial, join(project, ARCHIVE, pending.folder));
}

/** Puts fresh templates in the place of what was archived. What somebody has changed since is not that any more, and stays. */
export async function startAfresh(project: string, pending: PendingArchive, nowMs: number): Promise<void> {
  const fresh = await freshFiles({ project: pending.project, branch: null, nowMs });
  for (const name of MOVED) {
    const path = join(project, FOLDER, name);
    refuseAllButFiles(path);
    const [now, archived] = await Promise.all([bytesOf(path), bytesOf(join(project, ARCHIVE, pending.folder, name))]);
    if (now === null || (archived !== null && now.equals(archived))) await writeAtomic(path, fresh[name], 0o644);
  }
}

/** What the archive has touched, from the project. */
export function archivedPaths({ folder }: PendingArchive): readonly string[] {
  return [...MOVED.map((name) => `${FOLDER}/${name}`), `${ARCHIVE}/${folder}`];
}

async function bytesOf(path: string): Promise<Buffer | null> {
  return await readFile(path).catch(() => null);
}

/** On the disk before anything it was made of goes. */
async function writeNew(path: string, content: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o644);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
