import { closeSync, readSync } from 'node:fs';
import { RunResumed } from '../../journal/events/run.ts';
import { openRegular } from '../../kit/files/read.ts';
import { splitLines } from '../../process/lines.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { identityOfWriter, parsed } from './started-run.ts';

const chunkBytes = 1024 * 1024;
const mostBytes = 256 * 1024 * 1024;
/** A resume event is a short line; longer lines are skipped. */
const longestResumeBytes = 16 * 1024;

const Resumed = RunResumed.pick({ type: true, writer: true }).loose();

/** The process that resumed the run last; null if none did, or if that is too far back in the journal. */
export function lastWriterIn(journal: string): ProcessIdentity | null {
  const fd = openRegular(journal);
  if (fd === null) return null;
  let last: ProcessIdentity | null = null;
  const lines = splitLines(longestResumeBytes, (line) => {
    if (!line.includes('"run.resumed"')) return;
    const resumed = Resumed.safeParse(parsed(line));
    if (resumed.success) last = identityOfWriter(resumed.data.writer);
  });
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let at = 0; at < mostBytes; ) {
      const length = readSync(fd, chunk, 0, chunkBytes, at);
      if (length === 0) break;
      lines.push(chunk.subarray(0, length));
      at += length;
    }
    return last;
  } finally {
    closeSync(fd);
  }
}
