import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { pathExists } from '../../../kit/files/read.ts';
import { printable } from '../../../kit/pure/text.ts';
import { renameToFreeNumber } from './rename-to-free-number.ts';

const WAIT = 'WAIT_WITHOUT_RESTART';

/** A reason is a sentence or two. */
const LONGEST_BYTES = 4096;

/** The reason in the marker, on one line that is safe to show. Anything with its name is the marker, even a folder; only a file has a reason. */
export async function waitMarker(folder: string): Promise<string | null> {
  const path = join(folder, WAIT);
  return (await pathExists(path)) ? await reasonIn(path).catch(() => '') : null;
}

/** Renames a marker of an earlier start, so that it does not count for the next one. Resolves with the new name; null: there was none. */
export async function clearWait(folder: string): Promise<string | null> {
  return await renameToFreeNumber(join(folder, WAIT), 'seen', 1);
}

/** Neither follows a link nor blocks on a pipe, even if the file is replaced by one between two calls. */
async function reasonIn(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (!(await file.stat()).isFile()) return '';
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_BYTES), 0, LONGEST_BYTES, 0);
  // Drops a character that the limit has cut in half.
  const text = new StringDecoder('utf8').write(buffer.subarray(0, bytesRead));
  return printable(text.replaceAll(/\s+/g, ' ').trim());
}
