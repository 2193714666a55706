import { stripVTControlCharacters } from 'node:util';
import { openHeldFile } from '../../kit/files/held-file.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';

const END_BYTES = 64 * 1024;
const LONGEST = 300;

/** `error: unknown option '--x'`, `ERROR: You've hit …`, `TypeError: …`: what comes after it is advice or a stack. */
const saysWhatWentWrong = /^(?:\w*error|fatal)\b\s*:/i;

/** The line in the end of a failed program's output that says most of why it failed; null when there is no line at all. */
export function complaintIn(output: string): string | null {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => oneLine(stripVTControlCharacters(line)))
    .filter(Boolean);
  const line = lines.findLast((text) => saysWhatWentWrong.test(text)) ?? lines.at(-1);
  return line === undefined ? null : truncateCodePoints(line.replace(/^(?:error|fatal)\s*:\s*/i, ''), LONGEST, '…');
}

/** The last part of a file, whatever its size; nothing of what is no regular file. */
export function endOfFile(path: string): string {
  using file = openHeldFile(path);
  file.hold();
  return file.read('end', END_BYTES);
}
