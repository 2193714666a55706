import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../kit/pure/one-line.ts';
import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';

const LONGEST = 300;

/** `error: unknown option '--x'`, `ERROR: You've hit …`, `TypeError: …`, `! [rejected]`: what comes after it is advice or a stack. */
const saysWhatWentWrong = /^(?:(?:\w*error|fatal|abort)\b\s*:|! \[)/i;

/** The line in the end of a failed program's output that says most of why it failed; null when there is no line at all. */
export function complaintIn(output: string): string | null {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => oneLine(stripVTControlCharacters(line)))
    .filter(Boolean);
  const line = lines.findLast((text) => saysWhatWentWrong.test(text)) ?? lines.at(-1);
  return line === undefined ? null : truncateCodePoints(line, LONGEST, '…');
}
