import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, type FileHandle, lstat, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PlanText } from '../../engine/ports/story-workspace.ts';
import { hasCode } from '../../kit/files/read.ts';
import { makeFoldersBelow, openFolders, writeAtomic } from '../../kit/files/write.ts';
import type { StoryRepo } from './git-story-place.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** More than any list of stories that a model could read. */
const MOST_BYTES = 4 * 1024 * 1024;

type Where = Pick<StoryRepo, 'topLevel' | 'plan' | 'planPath'>;

/** Never follows a link, not even in place of a folder, and never blocks. */
export async function readPlanFile(where: Where): Promise<PlanText> {
  try {
    if (await isBehindALink(where)) return refused('lies behind a symbolic link');
    const handle = await open(where.planPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return await readHandle(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return { kind: 'missing' };
    if (hasCode(error, 'ELOOP')) return refused('is a symbolic link');
    return refused(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

async function isBehindALink({ topLevel, plan, planPath }: Where): Promise<boolean> {
  return (await realpath(dirname(planPath))) !== join(await realpath(topLevel), dirname(plan));
}

async function readHandle(handle: FileHandle): Promise<PlanText> {
  const found = await handle.stat();
  if (!found.isFile()) return refused(found.isDirectory() ? 'is a folder' : 'is no regular file');
  const bytes = await readAtMost(handle, found);
  if (bytes === null) return refused('has more than 4 MiB');
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refused('is not UTF-8 text');
  }
}

/** Null if the file is too long, or became so while it was read. */
async function readAtMost(handle: FileHandle, { size }: Stats): Promise<Buffer | null> {
  if (size > MOST_BYTES) return null;
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  for (let length = 0; ; ) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
    length += bytesRead;
    if (length === bytes.length) return null;
    if (bytesRead === 0) return bytes.subarray(0, length);
  }
}

const refused = (why: string): PlanText => ({ kind: 'refused', why });

/** Writes the file completely or not at all, and replaces anything with its name except a folder. False if the file has that text already. */
export async function writePlanFile(repo: StoryRepo, text: string): Promise<boolean> {
  const { topLevel, plan, planPath } = repo;
  const found = await readPlanFile(repo);
  if (found.kind === 'text' && found.text === text) return false;
  await using _ = await openFolders(topLevel, [plan]);
  if (dirname(plan) !== '.') await makeFoldersBelow(topLevel, dirname(planPath), 0o777);
  const mode = await modeOf(planPath);
  const written = join(repo.gitDir, `ralph-${randomUUID()}.tmp`);
  try {
    await writeFile(written, text, { flag: 'wx', mode });
    await rename(written, planPath);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    await writeAtomic(planPath, text, mode);
  } finally {
    await rm(written, { force: true });
  }
  await chmod(planPath, mode);
  return true;
}

/** The mode of the file, made writable for the owner. */
async function modeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() ? (found.mode & 0o777) | 0o600 : 0o644;
}
