import { copyFile, mkdir, rm, stat, utimes } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ownOutputBelow } from '../../process/own-output.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';

/** Our own index and object store, so that git can name the working copy without writing into the operator's repository. */
export interface GitScratch extends AsyncDisposable {
  /** The variables that make git use them. The index has all entries of the operator's, and the file data from earlier calls. */
  ready(): Promise<Readonly<Record<string, string>>>;
  /**
   * Only an index, freshly copied from the operator's; objects go into the operator's store. An index from earlier calls would name objects that were dropped
   * since.
   */
  keeping(): Promise<Readonly<Record<string, string>>>;
  /** An index for one use, which is not there yet; objects go into the operator's store. */
  spare(): Promise<Readonly<Record<string, string>>>;
  /** A fresh index and our own object store. Every object that the operator's store lacks stays there until `empty`, because comparing contents needs it. */
  lending(): Promise<Readonly<Record<string, string>>>;
  /** The tree that the index of `ready` last had; null if unknown, or if the index was copied again since. */
  readonly known: string | null;
  learn(tree: string | null): void;
  /** Makes the next `ready` copy the index again. */
  forget(): void;
  /** The version of the operator's index that `keeping` copied last. */
  readonly keptFrom: string;
  /** Makes the index of `keeping`, which was just found to have this tree, the index of `ready`. */
  adopt(tree: string): Promise<void>;
  /** The files of the work tree into which Ralph prints, relative to its top. They count as unchanged. */
  readonly ownOutput: readonly string[];
  /** Drops the objects: the tree keeps its name, and a large new file is not stored twice. */
  empty(): Promise<void>;
}

interface UsersOwn {
  readonly indexPath: string;
  readonly objectsPath: string;
  readonly topLevel: string;
}

/** Creates nothing before it is first needed. */
export function openGitScratch({ indexPath, objectsPath, topLevel }: UsersOwn): GitScratch {
  let folder: string | null = null;
  let copied = '';
  let keptFrom = '';
  let known: string | null = null;
  const made = async () => {
    folder ??= await makeTemporaryFolder('git');
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
    ownOutput: ownOutputBelow(topLevel),
    async ready() {
      const index = join(await made(), 'index');
      const store = await ownStore();
      // A git that was killed may have left it.
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
    async spare() {
      const index = join(await made(), 'spare-index');
      for (const path of [index, `${index}.lock`]) await rm(path, { force: true });
      return { GIT_INDEX_FILE: index };
    },
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

/** Changes with every write, because git always replaces its index file. */
export async function versionOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : 'none';
}

/**
 * Keeps the time of the original, rounded down. Git trusts its data about a file only if the file is older than the index, so a newer copy would hide a
 * change made right after the original was written.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    const seconds = Math.floor(mtimeMs / 1000);
    await utimes(to, seconds, seconds);
  } catch {
    // Without an index git starts from nothing, as before the first commit.
    await rm(to, { force: true });
  }
}

/** Quotes a path for GIT_ALTERNATE_OBJECT_DIRECTORIES, which git splits at the delimiter. */
export function quotedInList(path: string): string {
  return path.includes(delimiter) || path.startsWith('"') ? `"${path.replaceAll(/["\\]/g, '\\$&')}"` : path;
}

/** A leftover in a temporary folder is no reason to fail. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
