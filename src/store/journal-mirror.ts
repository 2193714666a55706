import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalMirror } from '../engine/ports/stores.ts';

/** What a mirror takes at once. */
const PIECE_BYTES = 65_536;
const LINE_FEED = 0x0a;

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** The journals of a folder of runs. Only whole lines are read, and only once they are on the disk: after a crash the journal still has whatever was copied. */
export function openFileMirror(runsFolder: string): JournalMirror {
  const pathOf = (run: string) => join(runsFolder, run, 'journal.jsonl');
  const end = async (run: string) => (await stat(pathOf(run)).catch(() => null))?.size ?? 0;
  return {
    end,
    async append(run, at, bytes) {
      await mkdir(dirname(pathOf(run)), { recursive: true, mode: 0o700 });
      await using handle = await open(pathOf(run), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
      if ((await handle.stat()).size === at) await handle.appendFile(bytes);
      return (await handle.stat()).size;
    },
    async read(run, from) {
      if ((await end(run)) <= from) return Buffer.alloc(0);
      await using handle = await open(pathOf(run), O_RDONLY | O_NOFOLLOW);
      await handle.datasync();
      // A line longer than a piece has its end further on.
      for (let bytes = PIECE_BYTES; ; bytes *= 2) {
        const { buffer, bytesRead } = await handle.read({ position: from, buffer: Buffer.alloc(bytes) });
        const whole = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED) + 1;
        if (whole > 0 || bytesRead < bytes) return buffer.subarray(0, Math.min(whole, PIECE_BYTES));
      }
    },
  };
}

/** Copies what is new, and resolves with the end of the copy. Null: it may not be written any more. */
export async function copyJournal(run: string, from: Pick<JournalMirror, 'read'>, to: JournalMirror, start: number | null = null): Promise<number | null> {
  for (let at = start ?? (await to.end(run)); ; ) {
    const bytes = await from.read(run, at);
    const end = bytes.length === 0 ? at : await to.append(run, at, bytes);
    if (end === null || end <= at) return end;
    at = end;
  }
}

interface KeptMirror {
  readonly run: string;
  readonly from: Pick<JournalMirror, 'read'>;
  readonly to: JournalMirror;
  readonly everyMs: number;
}

/** Nobody waits longer for the last lines. */
const LAST_MS = 5_000;

/** Copies a journal while its run is at work. A mirror that cannot be reached gets the rest later: the journal has it. */
export function keepMirror({ run, from, to, everyMs }: KeptMirror): AsyncDisposable {
  let end: number | null = null;
  let copying: Promise<void> | null = null;
  const copy = async () => {
    end = await copyJournal(run, from, to, end).catch(() => null);
    copying = null;
  };
  const timer = setInterval(() => {
    copying ??= copy();
  }, everyMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.race([(copying ?? Promise.resolve()).then(copy), sleep(LAST_MS, undefined, { ref: false })]);
    },
  };
}
