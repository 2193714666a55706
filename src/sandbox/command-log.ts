import { createHash } from 'node:crypto';
import { createReadStream, fstatSync } from 'node:fs';
import type { CommandRequest, CommandResult } from '../engine/ports/command.ts';
import type { HeldFile } from '../kit/files/held-file.ts';
import { lastCodePoints } from '../kit/pure/last-code-points.ts';
import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';

type Kept = Pick<CommandResult, 'output' | 'outputBytes' | 'outputSha256'>;

/** What a command printed, read back when all is over: a flood never passes through our memory. */
export async function keptOf(log: HeldFile, { keepChars, keep, digest }: CommandRequest): Promise<Kept> {
  if (log.fd === null) return { output: '', outputBytes: 0, outputSha256: '' };
  const { size } = fstatSync(log.fd);
  // Four bytes are the most a code point takes.
  const text = log.read(keep, keepChars * 4);
  const output = keep === 'beginning' ? truncateCodePoints(text, keepChars) : lastCodePoints(text, keepChars);
  return { output, outputBytes: size, outputSha256: digest ? await sha256(log.fd, size) : '' };
}

async function sha256(fd: number, size: number): Promise<string> {
  const hash = createHash('sha256');
  if (size === 0) return hash.digest('hex');
  for await (const chunk of createReadStream('', { fd, autoClose: false, start: 0, end: size - 1 })) hash.update(chunk);
  return hash.digest('hex');
}
