import { codeSpan, oneLine, truncateCodePoints } from '../../kit/pure/text.ts';

const LONGEST_LINE = 500;
const LONGEST_BLOCK = 20_000;
const MOST_ITEMS = 50;

/** A title or an id in a prompt: on one line, with a bounded length. */
export function promptLine(text: string): string {
  return truncateCodePoints(oneLine(text), LONGEST_LINE, '...');
}

/** A text of several lines in a prompt; a text that is too long is cut, with a note. */
export function promptBlock(text: string): string {
  return truncateCodePoints(text.replaceAll('\r\n', '\n').trim(), LONGEST_BLOCK, '\n... [cut here, the rest is too long for a prompt]');
}

/** Paths or commands as a list of inline code, each followed by the same text. */
export function promptList(items: readonly string[], said = ''): readonly string[] {
  const lines = items.slice(0, MOST_ITEMS).map((item) => `- ${codeSpan(promptLine(item))}${said}`);
  return items.length > MOST_ITEMS ? [...lines, `- and ${items.length - MOST_ITEMS} more`] : lines;
}
