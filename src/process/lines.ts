/** Longer lines are cut, so that an agent without newlines cannot exhaust our memory. */
export const longestLineBytes = 64 * 1024 * 1024;

const usualCapacity = 64 * 1024;
const largestKeptCapacity = 1024 * 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Splits bytes into lines as they arrive. Invalid UTF-8 becomes U+FFFD, a NUL stays, LF and CR LF are both line ends. */
export interface LineSplitter {
  push(chunk: Buffer): void;
  /** Emits the last line even without a newline. */
  end(): void;
}

/** Copies each byte at most once on average, and keeps only the unfinished line. */
export function splitLines(maxLineBytes: number, onLine: (line: string) => void): LineSplitter {
  let rest = Buffer.allocUnsafeSlow(usualCapacity);
  let restLength = 0;

  const keep = (bytes: Buffer) => {
    const kept = Math.min(bytes.length, maxLineBytes - restLength);
    if (restLength + kept > rest.length) rest = grown(rest, restLength, restLength + kept);
    bytes.copy(rest, restLength, 0, kept);
    restLength += kept;
  };
  const giveRest = () => {
    const line = textOf(rest, 0, restLength);
    restLength = 0;
    if (rest.length > largestKeptCapacity) rest = Buffer.allocUnsafeSlow(usualCapacity);
    onLine(line);
  };

  return {
    push(chunk) {
      let start = 0;
      let end = chunk.indexOf(lineFeed);
      if (end >= 0 && restLength > 0) {
        keep(chunk.subarray(0, end));
        giveRest();
        start = end + 1;
        end = chunk.indexOf(lineFeed, start);
      }
      while (end >= 0) {
        onLine(textOf(chunk, start, Math.min(end, start + maxLineBytes)));
        start = end + 1;
        end = chunk.indexOf(lineFeed, start);
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    end() {
      if (restLength > 0) giveRest();
    },
  };
}

function textOf(bytes: Buffer, start: number, end: number): string {
  const withoutReturn = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
  return bytes.toString('utf8', start, withoutReturn);
}

function grown(bytes: Buffer, used: number, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2));
  bytes.copy(larger, 0, 0, used);
  return larger;
}
