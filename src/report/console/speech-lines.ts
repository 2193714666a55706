import { excerpt, linesOf } from './excerpt.ts';
import { type Line, line, prose, span } from './line.ts';
import type { Look } from './look.ts';
import { textSize } from './text-size.ts';

const MESSAGE_CHARS = 8000;
const MESSAGE_LINES = 100;

/** What the agent says, as it says it: whole, unless it never stops talking. */
export function messageLines(text: string): readonly Line[] {
  const said = text.trim();
  if (said === '') return [];
  const head = linesOf(said, MESSAGE_CHARS);
  const lines = head.slice(0, MESSAGE_LINES).map((each) => prose(span(each)));
  if (said.length <= MESSAGE_CHARS && head.length <= MESSAGE_LINES) return lines;
  const size = textSize(said);
  return [...lines, line(span(`... (${size.lines} lines, ${size.chars} chars in all)`, 'dim'))];
}

/** What it thinks, in passing: the first lines only. */
export function reasoningLines(text: string, { glyphs, outputLines, outputChars }: Look): readonly Line[] {
  const { shown } = excerpt(text, { lines: outputLines, lineChars: outputChars });
  return shown.map((each, index) => line(span(index === 0 ? glyphs.thought : '   ', 'dim'), span(each, 'dim')));
}
