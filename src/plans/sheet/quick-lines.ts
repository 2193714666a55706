import { skipSpaces } from './quick-scan.ts';

/** The lines of a text without empty lines and comments, one after the other. */
export interface QuickLines {
  /** The current line: its start, the start of its content, and its end. At the end of the text the indent is -1. */
  readonly lineStart: number;
  readonly content: number;
  readonly end: number;
  /** The indentation of the content. A map that begins behind a dash has its own. */
  readonly indent: number;
  /** Goes to the next line. */
  next(): void;
  /** Treats the content behind a dash as a line of its own. */
  goInto(content: number): void;
  /** Goes to the first line that begins there or later. */
  goTo(lineStart: number): void;
}

export function quickLines(text: string): QuickLines {
  let lineStart = 0;
  let content = 0;
  let end = 0;
  let indent = -1;
  const stand = (start: number, first: number, stop: number) => {
    [lineStart, content, end] = [start, first, stop > first && text[stop - 1] === '\r' ? stop - 1 : stop];
    indent = first < text.length ? first - start : -1;
  };
  const look = (from: number) => {
    for (let start = from; start < text.length; start = nextLine(text, start)) {
      const first = skipSpaces(text, start);
      if (!'#\r\n'.includes(text.charAt(first))) return stand(start, first, lineEndFrom(text, first));
    }
    stand(text.length, text.length, text.length);
  };
  look(0);
  return {
    get lineStart() {
      return lineStart;
    },
    get content() {
      return content;
    },
    get end() {
      return end;
    },
    get indent() {
      return indent;
    },
    next() {
      look(nextLine(text, end));
    },
    goInto(inner) {
      indent += inner - content;
      content = inner;
    },
    goTo: look,
  };
}

/** The start of the line after the one at this offset. */
export function nextLine(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed < 0 ? text.length : feed + 1;
}

function lineEndFrom(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed < 0 ? text.length : feed;
}
