import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const { O_NONBLOCK, O_RDONLY } = constants;

type WhyNoText = 'missing' | 'directory' | 'not-regular' | 'empty' | 'not-utf-8' | 'refused';

export type TextRead =
  /** `isRegular`: it can be read again. */
  | { readonly kind: 'text'; readonly text: string; readonly isRegular: boolean }
  | { readonly kind: 'no-text'; readonly why: WhyNoText; readonly reason: string };

/** Reads a whole file of UTF-8 text. With 'refuse pipes' it never waits; with 'read pipes' it waits for the end of a pipe. */
export async function readText(path: string, pipes: 'read pipes' | 'refuse pipes'): Promise<TextRead> {
  try {
    const handle = await open(path, pipes === 'read pipes' ? O_RDONLY : O_RDONLY | O_NONBLOCK);
    try {
      return await readHandle(handle, pipes === 'read pipes');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    if (reason === 'EISDIR') return noText('directory');
    return { kind: 'no-text', why: reason === 'ENOENT' || reason === 'ENOTDIR' ? 'missing' : 'refused', reason };
  }
}

/** The same for bytes from another source. */
export function textOf(bytes: Buffer, isRegular: boolean): TextRead {
  if (bytes.length === 0) return noText('empty');
  return isUtf8(bytes) ? { kind: 'text', text: bytes.toString('utf8'), isRegular } : noText('not-utf-8');
}

async function readHandle(handle: FileHandle, mayBeAPipe: boolean): Promise<TextRead> {
  const found = await handle.stat();
  if (found.isDirectory()) return noText('directory');
  if (!found.isFile() && !mayBeAPipe) return noText('not-regular');
  return textOf(await handle.readFile(), found.isFile());
}

const REASONS = {
  directory: 'it is a directory',
  'not-regular': 'it is not a regular file',
  empty: 'it is empty',
  'not-utf-8': 'it is not UTF-8 text',
};

function noText(why: keyof typeof REASONS): TextRead {
  return { kind: 'no-text', why, reason: REASONS[why] };
}
