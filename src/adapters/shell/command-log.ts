import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, readSync } from 'node:fs';
import type { CommandRequest, CommandResult } from '../../engine/ports/command.ts';
import { openRegular } from '../../kit/files/open-regular.ts';
import { lastCodePoints } from '../../kit/pure/last-code-points.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';

type Kept = Pick<CommandResult, 'output' | 'outputBytes' | 'outputSha256'>;

/** What a command printed, read back when all is over: a flood never passes through our memory. */
export interface CommandLog extends Disposable {
  /** Keeps a hand on the file the output goes to: whatever the command then puts in its place is never read. */
  hold(): void;
  kept(): Promise<Kept>;
}

export function openCommandLog({ logFile, keepChars, keep, digest }: CommandRequest): CommandLog {
  let fd: number | null = null;
  return {
    hold() {
      fd = openRegular(logFile);
    },
    async kept() {
      if (fd === null) return { output: '', outputBytes: 0, outputSha256: '' };
      const { size } = fstatSync(fd);
      return { output: part(fd, size, keep, keepChars), outputBytes: size, outputSha256: digest ? await sha256(fd, size) : '' };
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
    },
  };
}

/** Four bytes are the most a code point takes. */
function part(fd: number, size: number, keep: CommandRequest['keep'], chars: number): string {
  const buffer = Buffer.alloc(Math.min(size, chars * 4));
  const from = keep === 'beginning' ? 0 : size - buffer.length;
  const text = buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, from));
  return keep === 'beginning' ? truncateCodePoints(text, chars) : lastCodePoints(text, chars);
}

async function sha256(fd: number, size: number): Promise<string> {
  const hash = createHash('sha256');
  if (size === 0) return hash.digest('hex');
  for await (const chunk of createReadStream('', { fd, autoClose: false, start: 0, end: size - 1 })) hash.update(chunk);
  return hash.digest('hex');
}
