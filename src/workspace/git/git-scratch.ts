import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** An index and an object store of our own, so that git can name the working copy and write nothing into the user's repository. */
export interface GitScratch extends AsyncDisposable {
  /** The variables that make git use them. The index knows all that the user's does, and what was looked up before. */
  ready(): Promise<Readonly<Record<string, string>>>;
  /** Only an index, fresh from the user's: objects go into the user's store. What was looked up before would name objects that were dropped since. */
  keeping(): Promise<Readonly<Record<string, string>>>;
  /** Only what is dropped again, and fresh: every object that the user's store lacks is there until then, as a comparison of contents needs it. */
  lending(): Promise<Readonly<Record<string, string>>>;
  /** The tree that the index of `ready` was last found to be; null where it is not known, or was copied anew since. */
  readonly known: string | null;
  learn(tree: string | null): void;
  /** The index of `ready` is copied anew the next time. */
  forget(): void;
  /** The version of the user's index that `keeping` has copied last. */
  readonly keptFrom: string;
  /** What the index of `keeping` was just found to be that of `ready` is too. */
  adopt(tree: string): Promise<void>;
  /** Drops the objects: a tree is named all the same, and a large new file is not kept twice. */
  empty(): Promise<void>;
}

interface UsersOwn {
  readonly indexPath: string;
  readonly objectsPath: string;
}

/** Nothing is made before it is first needed. */
export function openGitScratch({ indexPath, objectsPath }: UsersOwn): GitScratch {
  let folder: string | null = null;
  let copied = '';
  let keptFrom = '';
  let known: string | null = null;
  const made = async () => {
    folder ??= await mkdtemp(join(tmpdir(), 'ralph-git-'));
    return folder;
  };
  const ownStore = async () => {
    const objects = join(await made(), 'objects');
    await mkdir(objects, { recursive: true });
    return { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedInList(objectsPath) };
  };
  const keeping = async () => {
    const index = join(await made(), 'kept-index');
    await rm(`${index}.lock`, { force: true });
    keptFrom = await versionOf(indexPath);
    await copyIndex(indexPath, index);
    return { GIT_INDEX_FILE: index };
  };
  return {
    async ready() {
      const index = join(await made(), 'index');
      const store = await ownStore();
      // Left by a git that was killed.
      await rm(`${index}.lock`, { force: true });
      const found = await versionOf(indexPath);
      if (found !== copied) {
        known = null;
        await copyIndex(indexPath, index);
      }
      copied = found;
      return { GIT_INDEX_FILE: index, ...store };
    },
    keeping,
    get known() {
      return known;
    },
    get keptFrom() {
      return keptFrom;
    },
    learn(tree) {
      known = tree;
    },
    forget() {
      copied = '';
    },
    async adopt(tree) {
      const folder = await made();
      await rm(join(folder, 'index.lock'), { force: true });
      await copyIndex(join(folder, 'kept-index'), join(folder, 'index'));
      [copied, known] = [keptFrom, tree];
    },
    lending: async () => ({ ...(await keeping()), ...(await ownStore()) }),
    async empty() {
      if (folder !== null) await remove(join(folder, 'objects'));
    },
    async [Symbol.asyncDispose]() {
      if (folder !== null) await remove(folder);
      folder = null;
      copied = '';
      known = null;
    },
  };
}

/** Changes with every write: git replaces its index, it never writes into it. */
export async function versionOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : 'none';
}

/**
 * With the time of the original, rounded down: git trusts what it knows of a file only if that file is older than the index,
 * so a copy that looked newer would hide a change made right after the original was written.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    const seconds = Math.floor(mtimeMs / 1000);
    await utimes(to, seconds, seconds);
  } catch {
    // Without it git starts from nothing, as it does before the first commit.
    await rm(to, { force: true });
  }
}

/** As one of GIT_ALTERNATE_OBJECT_DIRECTORIES: git splits the list at the delimiter, unless the path is quoted. */
export function quotedInList(path: string): string {
  return path.includes(delimiter) || path.startsWith('"') ? `"${path.replaceAll(/["\\]/g, '\\$&')}"` : path;
}

/** In a temporary folder, what cannot be removed is no reason to fail. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
