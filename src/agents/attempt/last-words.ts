import { ANSWERS_TO_AGENTS } from '../../journal/words/claim.ts';
import { oneLine, printable, truncateCodePoints } from '../../kit/pure/text.ts';

const READ_CHARS = 20_000;
const MOST_CHARS = 300;
const MARKS = /<\/?(?:promise|response)>/gi;
const OF_RALPH: ReadonlySet<string> = new Set(Object.values(ANSWERS_TO_AGENTS));
const isOfRalph = (part: string) => OF_RALPH.has(part) || /^✓ \S+ is noted as complete$/.test(part);

/**
 * What an agent said last, in one line that is safe to show: the last paragraph of its message, or the last line of plain output. A word alone, such as DONE,
 * is no news, and what Ralph's own commands print is not the agent's. Empty: it said nothing.
 */
export function lastWords(message: string, speaks: 'events' | 'lines'): string {
  const parts = message
    .slice(-READ_CHARS)
    .split(speaks === 'events' ? /\n[ \t\r]*\n/ : '\n')
    .map((part) => oneLine(printable(part.replaceAll('\n', ' ').replace(MARKS, ''))))
    .filter((part) => part.includes(' ') && !isOfRalph(part));
  return truncateCodePoints(parts.at(-1) ?? '', MOST_CHARS - 1, '…');
}
