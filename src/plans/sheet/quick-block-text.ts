import { nextLine } from './quick-lines.ts';
import { skipSpaces, UNUSUAL } from './quick-scan.ts';
import type { SheetText } from './sheet.ts';

const HEADER = /([|>])(-?) *\r?$/;

/** A text of several lines behind `|` or `>`, and the line after it. `indent` is that of its key, which its lines must go beyond. */
export function readBlockText(text: string, start: number, indent: number): { readonly sheet: SheetText; readonly next: number } {
  const first = nextLine(text, start);
  const header = HEADER.exec(text.slice(start, first).replace(/\n$/, ''));
  if (header === null || header.index !== 0) throw UNUSUAL;
  const { lines, next, end } = blockLines(text, first, indent);
  const isFolded = header[1] === '>';
  const joined = isFolded ? folded(lines) : lines.join('\n');
  const value = header[2] === '-' ? joined : `${joined}\n`;
  return { sheet: { kind: 'text', value, source: text.slice(start, end), start, end }, next };
}

/** All lines that are empty or set in as far as the first one, without the empty ones at their end. */
function blockLines(text: string, from: number, indent: number): { lines: readonly string[]; next: number; end: number } {
  const depth = skipSpaces(text, from) - from;
  if (depth <= indent || endOfLine(text, from) === from + depth) throw UNUSUAL;
  const lines: string[] = [];
  let end = from;
  let at = from;
  for (; at < text.length; at = nextLine(text, at)) {
    const line = lineIn(text, at, depth);
    if (line === null) break;
    lines.push(line);
    if (line !== '') end = at + depth + line.length;
  }
  // Less far in than the text but further than its key: no good YAML, or a comment.
  if (skipSpaces(text, at) - at > indent) throw UNUSUAL;
  while (lines.at(-1) === '') lines.pop();
  return { lines, next: at, end };
}

/** Null: the text is over. Spaces beyond the margin of an empty line would belong to it. */
function lineIn(text: string, at: number, depth: number): string | null {
  const stop = endOfLine(text, at);
  const content = skipSpaces(text, at);
  if (content < stop) return content - at < depth ? null : text.slice(at + depth, stop);
  if (stop - at > depth) throw UNUSUAL;
  return '';
}

/** A line feed becomes a space, and of several one is lost. Lines that are set in keep theirs: those are for the library. */
function folded(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith(' '))) throw UNUSUAL;
  return lines.join('\n').replaceAll(/\n+/g, (feeds) => (feeds.length === 1 ? ' ' : feeds.slice(1)));
}

function endOfLine(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  const end = feed < 0 ? text.length : feed;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
}
