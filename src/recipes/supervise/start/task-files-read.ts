import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '../../../kit/files/read-text.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';

/** A megabyte is more than any agent reads. */
const LARGEST_BYTES = 1024 * 1024;

/** What a file in the folder of a task says; null when it is not there. Agents write there too: it is never followed through a link, and no pipe is waited for. */
export async function readTaskFile(folder: string, name: string): Promise<string | null> {
  const path = join(folder, name);
  const file = await opened(path);
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile()) throw unusable(path, `it is ${found.isDirectory() ? 'a directory' : 'not a regular file'}`);
    if (found.size > LARGEST_BYTES) throw unusable(path, 'it has more than a megabyte');
    const read = textOf(await file.readFile(), true);
    if (read.kind === 'text') return read.text;
    if (read.why === 'empty') return '';
    throw unusable(path, read.reason);
  } finally {
    await file.close();
  }
}

export function unusable(path: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError('task-file-unusable', `cannot use ${path}: ${why}`, { hint: 'Repair it, or move it away and start again.', exitCode: 2, cause });
}

async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw unusable(path, REASONS.get(code) ?? code, error);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ELOOP', 'it is a symbolic link'],
  ['ENXIO', 'it is not a regular file'],
  ['EACCES', 'it may not be read'],
  ['ENOTDIR', 'a file stands where its folder should be'],
]);
