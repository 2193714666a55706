import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { takeLock } from '../../store/lock.ts';

/** The file of a bus, then its archives, newest first. None comes twice, even if the file is rotated meanwhile. The caller closes each. */
export function* openBusFiles(path: string): Generator<OpenBus, void> {
  const seen = new Set<bigint>();
  for (const file of pathsOf(path)) {
    const open = openToRead(file);
    if (open === null) continue;
    if (seen.has(open.ino)) closeSync(open.fd);
    else {
      seen.add(open.ino);
      yield open;
    }
  }
}

/** Archives are listed only when the caller wants more than the file itself. */
function* pathsOf(path: string): Generator<string, void> {
  yield path;
  yield* archivesOf(path);
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** An open bus file, identified independently of what is at its path later. */
export interface OpenBus {
  readonly fd: number;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Makes the file if it does not exist. Every write goes to the end of the file, in one piece. */
export function openToAppend(path: string): OpenBus {
  return openRegular(path, O_WRONLY | O_APPEND | O_CREAT);
}

/** Null when it does not exist. */
export function openToRead(path: string): OpenBus | null {
  try {
    return openRegular(path, O_RDONLY);
  } catch (error) {
    if (error instanceof OperatorError && hasCode(error.cause, 'ENOENT')) return null;
    throw error;
  }
}

/** Whether the path still leads to it; false also when nothing is there. */
export function isStillAt(path: string, { dev, ino }: OpenBus): boolean {
  const seen = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return seen !== undefined && seen.ino === ino && seen.dev === dev;
}

function openRegular(path: string, flags: number): OpenBus {
  const fd = openUnlinked(path, flags);
  const stat = fstatSync(fd, { bigint: true });
  if (stat.isFile()) return { fd, dev: stat.dev, ino: stat.ino };
  closeSync(fd);
  throw notAFile(path, kindOf(stat));
}

/** Opens at once or fails: it follows no link and waits for no pipe. */
function openUnlinked(path: string, flags: number): number {
  try {
    return openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (cause) {
    const seen = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (seen !== undefined && !seen.isFile()) throw notAFile(path, kindOf(seen));
    throw new OperatorError('bus-not-opened', `cannot open the message bus ${path}: ${(cause as Error).message}`, {
      hint: 'Its folder must exist, and you need permission to read and write it.',
      exitCode: 4,
      cause,
    });
  }
}

function notAFile(path: string, kind: string): OperatorError {
  return new OperatorError('bus-not-a-file', `the message bus ${path} is ${kind}, not a regular file`, {
    hint: 'Somebody may have put it there to read or redirect messages. Remove it, or name another bus with --bus.',
    exitCode: 4,
  });
}

function kindOf(stat: BigIntStats): string {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (stat.isDirectory()) return 'a directory';
  return stat.isFIFO() ? 'a pipe' : 'a device or a socket';
}

/** The archives of a bus, newest first. */
export function archivesOf(path: string): readonly string[] {
  const start = `${basename(path)}.`;
  return namesIn(dirname(path))
    .filter((name) => name.startsWith(start) && STAMP.test(name.slice(start.length)))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/**
 * Renames a bus that has reached that size to `<file>.YYYYMMDD-HHMMSS.archived`; the next post starts a new file. If another process is already rotating, this
 * does nothing. A writer that still has the old file open writes into the archive, which readers read too.
 */
export async function rotate(path: string, atBytes: number, nowMs: number): Promise<void> {
  const archive = `${path}.${stampOf(nowMs)}.archived`;
  // At most one rotation a second, and no archive is ever overwritten. A slow process must not give its archive an older name than those of others.
  const isDue = () => sizeOf(path) >= atBytes && (archivesOf(path)[0] ?? '') < archive;
  if (!isDue()) return;
  const lock = await takeLock(rotationLock(path), 'rotating a message bus');
  if (lock.kind === 'held') return;
  await using _ = lock;
  if (isDue()) renameSync(path, archive);
}

/** A hidden name without capitals: lock names are spelt out. */
function rotationLock(path: string): string {
  return join(dirname(path), `.${basename(path).toLowerCase()}.rotation`);
}

const STAMP = /^\d{8}-\d{6}\.archived$/;

function stampOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
