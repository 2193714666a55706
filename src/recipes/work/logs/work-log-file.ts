import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A log that others may write too. It only ever grows, one write a piece; a failure costs nothing but the view, and is told once. */
export interface LogFile {
  /** Whole lines. Returns at once. */
  add(text: string): void;
  close(): Promise<void>;
}

/** What may wait for a slow disk. */
const MOST_WAITING = 10_000;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

export function openLogFile(path: string, warn: (text: string) => void): LogFile {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  /** A full disk may have taken half a line: the next one must not go on with it. */
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

/** Opened anew each time, so that somebody may move it away. Never through a link, and never waiting at a pipe. How many bytes went in. */
async function append(path: string, bytes: Buffer): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  await using file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  if (!(await file.stat()).isFile()) throw new Error('it is no regular file');
  return (await file.write(bytes)).bytesWritten;
}
