import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists, readRegular } from '../../kit/files/read.ts';
import { makeFolder, writeAtomic } from '../../kit/files/write.ts';
import * as z from '../../kit/pure/shape.ts';
import { ARCHIVE, FOLDER, freshFiles, refuseAllButFiles, refuseAllButFolders } from './plan-folder.ts';

/** The files to move; prompt.md stays, because it belongs to the project. */
const MOVED = ['prd.md', 'progress.txt', 'tasks.json'] as const;
/** The folder of an unfinished archive. It contains only copies, so a leftover one is deleted. */
const PARTIAL = '.partial';

/** An unused name: the second archive of a day and a label is called `…-2`. */
export function freeName(project: string, wanted: string): string {
  const isFree = (name: string) => !existsSync(join(project, ARCHIVE, name));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (isFree(name)) return name;
  }
}

/** Copies the plan, adds the other files, and renames the folder when it is complete. The plan itself stays in place. */
export async function copyToArchive(project: string, pending: PendingArchive, added: Readonly<Record<string, string>>): Promise<void> {
  const partial = join(project, ARCHIVE, PARTIAL);
  refuseAllButFolders(join(project, ARCHIVE));
  for (const name of MOVED) refuseAllButFiles(join(project, FOLDER, name));
  await makeFolder(join(project, ARCHIVE), 0o755);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  for (const name of MOVED) {
    const source = join(project, FOLDER, name);
    if (await pathExists(source)) await writeNew(join(partial, name), await readFile(source));
  }
  for (const [name, text] of Object.entries(added)) {
    await mkdir(join(partial, name, '..'), { recursive: true });
    await writeNew(join(partial, name), Buffer.from(text));
  }
  await writePending(project, pending);
  await rename(partial, join(project, ARCHIVE, pending.folder));
}

/** Replaces the archived files by fresh templates. A file that somebody changed since was not archived, and stays. */
export async function resetPlanFiles(project: string, pending: PendingArchive, nowMs: number): Promise<void> {
  const fresh = await freshFiles({ project: pending.project, branch: null, nowMs });
  for (const name of MOVED) {
    const path = join(project, FOLDER, name);
    refuseAllButFiles(path);
    const [now, archived] = await Promise.all([bytesOf(path), bytesOf(join(project, ARCHIVE, pending.folder, name))]);
    if (now === null || (archived !== null && now.equals(archived))) await writeAtomic(path, fresh[name], 0o644);
  }
}

/** Whether the plan is still what `ralph plan init` or an earlier archive wrote, whatever its day. */
export async function isFreshPlan(project: string): Promise<boolean> {
  const texts = MOVED.map((name) => readRegular(join(project, FOLDER, name)));
  const named = namesIn(texts[MOVED.indexOf('tasks.json')] ?? '');
  if (named === null) return false;
  const fresh = await freshFiles({ ...named, nowMs: 0 });
  return MOVED.every((name, at) => texts[at] === null || withoutDays(texts[at] ?? '') === withoutDays(fresh[name]));
}

const withoutDays = (text: string) => text.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '');

/** Null: it is no list of stories. */
function namesIn(tasks: string): { readonly project: string; readonly branch: string } | null {
  try {
    const named = z.object({ project: z.string(), branchName: z.string() }).safeParse(JSON.parse(tasks)).data;
    return named === undefined ? null : { project: named.project, branch: named.branchName };
  } catch {
    return null;
  }
}

/** The paths that the archive has changed, relative to the project. */
export function archivedPaths({ folder }: PendingArchive): readonly string[] {
  return [...MOVED.map((name) => `${FOLDER}/${name}`), `${ARCHIVE}/${folder}`];
}

async function bytesOf(path: string): Promise<Buffer | null> {
  return await readFile(path).catch(() => null);
}

/** Synced to the disk before any original is replaced. */
async function writeNew(path: string, content: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o644);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const Count = z.number().int().nonnegative();
const PendingArchive = z.strictObject({
  /** In `ralph-archive/`, and never outside of it. */
  folder: z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/),
  label: z.string(),
  project: z.string(),
  done: Count,
  total: Count,
});

/** An archive in progress. It is written before the folder gets its final name, and removed at the end. After a crash the next archive continues from it. */
export type PendingArchive = Readonly<z.infer<typeof PendingArchive>>;

const fileIn = (project: string) => join(project, ARCHIVE, '.pending.json');

/** Null: there is none, or it is not valid. */
export function readPending(project: string): PendingArchive | null {
  const text = readRegular(fileIn(project));
  if (text === null) return null;
  try {
    return PendingArchive.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export async function writePending(project: string, pending: PendingArchive): Promise<void> {
  await writeAtomic(fileIn(project), `${JSON.stringify(pending)}\n`, 0o644);
}

export async function forgetPending(project: string): Promise<void> {
  await rm(fileIn(project), { force: true });
}
