import { printable } from '../../kit/pure/text.ts';
import { type Line, line, type Span, span } from '../../report/console/line.ts';
import { columns, cutToColumns } from '../../report/console/look.ts';

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
  /** Removes secrets from a text. It sees each text as a whole, before the edge of the screen breaks it. */
  readonly hide: (text: string) => string;
}

/** All of a line, in as many rows as it needs. It breaks between words, and inside a word that is wider than the screen. Later rows begin behind `hang` columns. */
export function wrapped({ spans }: Line, { width, hide }: ScreenSize, hang = 0): readonly Line[] {
  const rows: Span[][] = [[]];
  let at = 0;
  const put = (text: string, tone: Span['tone']) => {
    const row = rows.at(-1) ?? [];
    // One span for neighbours of the same tone.
    const before = row.at(-1)?.tone === tone ? (row.pop()?.text ?? '') : '';
    row.push(span(before + text, tone));
    at += columns(text);
  };
  const nextRow = () => {
    rows.push([span(' '.repeat(hang))]);
    at = hang;
  };
  const putWord = (word: string, tone: Span['tone']) => {
    if (at > hang && at + columns(word) > width) nextRow();
    let rest = word;
    while (at + columns(rest) > width) {
      const part = cutToColumns(rest, width - at);
      if (part === '') break;
      put(part, tone);
      rest = rest.slice(part.length);
      nextRow();
    }
    put(rest, tone);
  };
  for (const { text, tone } of spans) {
    for (const token of hide(printable(text)).split(/(?<=\s)(?=\S)/)) {
      const word = token.trimEnd();
      putWord(word, tone);
      // What does not fit is the space at the end of a row.
      put(cutToColumns(token.slice(word.length), Math.max(0, width - at)), tone);
    }
  }
  return rows.map((row) => line(...row));
}

/** The lines of a text that are not blank; one empty line if there are none. */
export function textLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).filter((each) => each.trim() !== '');
  return lines.length === 0 ? [''] : lines;
}

/** Rows of one thing that can be chosen. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Not more rows than there is space for: those around the chosen ones, and in the last one what `rest` says of those above and below. */
export function rowsAround(rows: readonly Line[], space: number, chosen: RowRange, rest: (above: number, below: number) => string): readonly Line[] {
  if (rows.length <= space) return rows;
  const kept = Math.max(0, space - 1);
  const before = Math.max(0, Math.floor((kept - (chosen.to - chosen.from)) / 2));
  const from = Math.max(0, Math.min(chosen.from - before, rows.length - kept));
  return [...rows.slice(from, from + kept), line(span(rest(from, rows.length - from - kept), 'dim'))].slice(0, Math.max(0, space));
}
