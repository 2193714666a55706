import { readSync } from 'node:fs';
import { hasCode } from '../../kit/files/has-code.ts';

/** More than any agent says to a hook. */
const MOST_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** The JSON on stdin; undefined: there is none, or more than is reasonable. */
export async function readStdin(): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin()) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** At once where that is possible: opening it as a stream takes longer than all else a hook does. */
async function* stdin(): AsyncGenerator<Buffer> {
  try {
    for (let length = -1; length !== 0; ) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      length = readSync(0, piece);
      yield piece.subarray(0, length);
    }
    return;
  } catch (error) {
    if (!hasCode(error, 'EAGAIN')) return;
  }
  yield* process.stdin as AsyncIterable<Buffer>;
}
