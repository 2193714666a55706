import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../../kit/pure/one-line.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';

const LONGEST = 300;

/** What git ends with when it gives up itself, and not because a hook said no. */
const GAVE_UP = 128;

/**
 * The line that says most of what went wrong. A hook sums up at its end. Git says why before it gives up (`error: gpg failed …`,
 * then `fatal: …`), and after that may give a page of advice. Null when nothing was said.
 */
export function tellingLine(output: string, code: number): string | null {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => oneLine(stripVTControlCharacters(line)))
    .filter(Boolean);
  const complaints = lines.filter((line) => /^(error|fatal): /.test(line));
  const last = lines.at(-1);
  const line = complaints.length > 0 && (code === GAVE_UP || last === complaints.at(-1)) ? complaints.slice(-2).join('; ') : last;
  return line === undefined ? null : truncateCodePoints(line, LONGEST);
}
