import { lstat, mkdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasCode } from '../../kit/files/has-code.ts';

/** Paths that no mount can seal: what is not there, and links. */
export interface PlantedWatch {
  /** Puts back what was there before, keeps what was planted, and names it. */
  putBack(): Promise<readonly string[]>;
}

type Before = { readonly path: string; readonly link: string | null };

/** Looks at the paths now, of which those count that are missing or links. What appears there later is moved to `keptIn`. */
export async function watchPlanted(paths: readonly string[], keptIn: string): Promise<PlantedWatch> {
  const before = (await Promise.all(paths.map(lookAt))).flat();
  return {
    async putBack() {
      const planted: string[] = [];
      for (const each of before) if (await putBack(each, keptIn)) planted.push(each.path);
      return planted;
    },
  };
}

async function lookAt(path: string): Promise<readonly Before[]> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return [{ path, link: null }];
  return found.isSymbolicLink() ? [{ path, link: await readlink(path) }] : [];
}

/** True when it was not as before. */
async function putBack({ path, link }: Before, keptIn: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  const now = found?.isSymbolicLink() ? await readlink(path).catch(() => null) : null;
  if (found === null ? link === null : link !== null && now === link) return false;
  if (found !== null) await moveAway(path, keptIn);
  if (link !== null) await symlink(link, path);
  return true;
}

/** What cannot be kept on another disk is deleted: leaving it there is worse. */
async function moveAway(path: string, keptIn: string): Promise<void> {
  await mkdir(keptIn, { recursive: true, mode: 0o700 });
  try {
    await rename(path, join(keptIn, `${Date.now()}-${basename(path)}`));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    await rm(path, { recursive: true, force: true });
  }
}
