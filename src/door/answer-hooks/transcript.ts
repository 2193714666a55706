import { closeSync, fstatSync, readSync } from 'node:fs';
import { type TranscriptUsage, transcriptUsage } from '../hooks/transcript-usage.ts';
import { openRegular } from '../../kit/files/open-regular.ts';

/** Its last answer is at the end; only behind a very long line more has to be read. */
const TAILS = [64 * 1024, 4 * 1024 * 1024];

/** How large a transcript is and what its last request counted; null: there is none. A large one costs no more than a small one. */
export function lookAtTranscript(path: string): { readonly bytes: number; readonly usage: TranscriptUsage | null } | null {
  const fd = openRegular(path);
  if (fd === null) return null;
  try {
    const bytes = fstatSync(fd).size;
    for (const tail of TAILS) {
      const usage = transcriptUsage(readTail(fd, bytes, tail));
      if (usage !== null || tail >= bytes) return { bytes, usage };
    }
    return { bytes, usage: null };
  } finally {
    closeSync(fd);
  }
}

function readTail(fd: number, size: number, bytes: number): string {
  const buffer = Buffer.alloc(Math.min(size, bytes));
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, size - buffer.length));
}
