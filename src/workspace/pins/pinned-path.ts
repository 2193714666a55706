import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { chmod, cp, lstat, mkdir, open, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';
import * as z from '../../kit/pure/shape.ts';

/** What was at a path. `large`: known by its looks only, since nobody keeps so much; changed, it is taken away. */
export type Remembered =
  | { readonly kind: 'absent' }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'file'; readonly mode: number; readonly base64: string }
  | { readonly kind: 'large'; readonly looks: string }
  | { readonly kind: 'folder'; readonly entries: Readonly<Record<string, Remembered>> };

export const Remembered: z.Shape<Remembered> = z.lazy(() =>
  z.union([
    z.strictObject({ kind: z.literal('absent') }),
    z.strictObject({ kind: z.literal('link'), to: z.string() }),
    z.strictObject({ kind: z.literal('file'), mode: z.number(), base64: z.string() }),
    z.strictObject({ kind: z.literal('large'), looks: z.string() }),
    z.strictObject({ kind: z.literal('folder'), entries: z.record(z.string(), Remembered) }),
  ]),
);

const ABSENT: Remembered = { kind: 'absent' };

const MOST_FILE_BYTES = 1024 * 1024;
const MOST_BYTES = 32 * MOST_FILE_BYTES;
/** They come with every repository, and no git runs them. */
const isSample = (name: string) => name.endsWith('.sample');
/** A change in the same tick of the file system's clock leaves all looks as they were. */
const TRUSTED_AFTER_MS = 2_000;

export async function remember(path: string, room = { bytes: MOST_BYTES }): Promise<Remembered> {
  const found = await lstatOf(path);
  if (found === null) return ABSENT;
  if (found.isSymbolicLink()) return { kind: 'link', to: await readlink(path) };
  if (found.isDirectory()) {
    const entries: Record<string, Remembered> = {};
    for (const name of await namesIn(path)) entries[name] = await remember(join(path, name), room);
    return { kind: 'folder', entries };
  }
  room.bytes -= Number(found.size);
  if (!found.isFile() || found.size > MOST_FILE_BYTES || room.bytes < 0) return { kind: 'large', looks: looksOf(found) };
  return { kind: 'file', mode: modeOf(found), base64: (await readBytes(path)).toString('base64') };
}

/** What was seen to be as it should: it is read again only when it looks different. */
export type Seen = Map<string, string>;

/** Paths in which what is there is not what is remembered; none within one that is something else as a whole. */
export async function differing(path: string, was: Remembered, seen: Seen): Promise<readonly string[]> {
  const found = await lstatOf(path);
  if (found === null) return was.kind === 'absent' ? [] : [path];
  if (was.kind === 'absent' && isHarmlessBlank(path, found)) return [];
  if (was.kind === 'folder') return found.isDirectory() ? await differingInside(path, was.entries, seen) : [path];
  return (await isAsSeen(path, seen, (looked) => isSame(path, was, looked))) ? [] : [path];
}

/** A wall makes an empty one to have something to seal; git reads nothing in it. */
const isHarmlessBlank = (path: string, found: BigIntStats) => basename(path) === 'attributes' && found.isFile() && found.size === 0n;

/** Whether it is as it should, by its looks if these are known. */
export async function isAsSeen(path: string, seen: Seen, isRight: (found: BigIntStats) => Promise<boolean>): Promise<boolean> {
  const found = await lstatOf(path);
  if (found === null) return false;
  const looks = looksOf(found);
  if (seen.get(path) === looks) return true;
  if (!(await isRight(found))) return false;
  if (Date.now() - Number(found.ctimeMs) > TRUSTED_AFTER_MS) seen.set(path, looks);
  return true;
}

const namesIn = async (path: string) => (await readdir(path)).filter((name) => !isSample(name)).sort();

async function differingInside(path: string, entries: Readonly<Record<string, Remembered>>, seen: Seen): Promise<readonly string[]> {
  const names = new Set([...(await namesIn(path)), ...Object.keys(entries)]);
  const found = await Promise.all([...names].sort().map((name) => differing(join(path, name), entries[name] ?? ABSENT, seen)));
  return found.flat();
}

async function isSame(path: string, was: Remembered, found: BigIntStats): Promise<boolean> {
  if (was.kind === 'link') return found.isSymbolicLink() && (await readlink(path)) === was.to;
  if (was.kind === 'large') return looksOf(found) === was.looks;
  if (was.kind !== 'file' || !found.isFile() || modeOf(found) !== was.mode || found.size > MOST_FILE_BYTES) return false;
  return (await readBytes(path)).toString('base64') === was.base64;
}

/** What was remembered at a path below one that was. */
export function rememberedAt(was: Remembered, names: readonly string[]): Remembered {
  const [first, ...rest] = names;
  if (first === undefined) return was;
  return was.kind === 'folder' ? rememberedAt(was.entries[first] ?? ABSENT, rest) : ABSENT;
}

/** Moves away what is there, and makes anew what was. Nothing is written through a link: each name is new when it is written. */
export async function putPathBack(path: string, was: Remembered, moveAway: (path: string) => Promise<void>): Promise<void> {
  await moveAway(path);
  if (was.kind === 'link') await symlink(was.to, path);
  if (was.kind === 'file') await writeNew(path, Buffer.from(was.base64, 'base64'), was.mode);
  if (was.kind !== 'folder') return;
  await mkdir(path);
  for (const [name, entry] of Object.entries(was.entries)) await putPathBack(join(path, name), entry, async () => undefined);
}

/** Replaces whatever has that name. */
export async function writeNew(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  const handle = await open(temporary, 'wx', mode);
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
  await chmod(temporary, mode);
  await rename(temporary, path);
}

/** Out of the way, to where a person may look at it. Also from one disk to another. */
export async function movePath(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    if (!hasCode(error, 'EXDEV')) throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true, force: true });
  }
}

/** Never through a link, never waiting for a pipe. */
export async function readBytes(path: string): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

export async function lstatOf(path: string): Promise<BigIntStats | null> {
  return await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  });
}

const modeOf = ({ mode }: BigIntStats) => Number(mode & 0o7777n);
const looksOf = ({ mode, ino, size, mtimeNs, ctimeNs }: BigIntStats) => [mode, ino, size, mtimeNs, ctimeNs].join(' ');
