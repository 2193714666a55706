import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A log that others may write too. It only grows, with one write per text. A failure does not stop the run, and is reported once. */
export interface LogFile {
  /** Takes whole lines and returns at once. */
  add(text: string): void;
  close(): Promise<void>;
}

/** How much may be queued for a slow disk. */
const MOST_WAITING = 10_000;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

export function openLogFile(path: string, warn: (text: string) => void): LogFile {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  /** A full disk may have taken half a line: the next text must not continue it. */
  let isTorn = false;
  let isTold = false;

  async function write(text: string): Promise<void> {
    try {
      const bytes = Buffer.from(isTorn ? `\n${text}` : text);
      isTorn = (await append(path, bytes)) < bytes.length;
    } catch (error) {
      if (!isTold) warn(`cannot write ${path}: ${(error as Error).message}`);
      isTold = true;
    }
    waiting -= 1;
  }

  return {
    add(text) {
      if (waiting >= MOST_WAITING) return;
      waiting += 1;
      last = last.then(() => write(text));
    },
    async close() {
      await last;
    },
  };
}

/** Opens the file each time, so that somebody may move it away. Never follows a link or blocks on a pipe. Returns the number of bytes written. */
async function append(path: string, bytes: Buffer): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  await using file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
  return (await file.write(bytes)).bytesWritten;
}
