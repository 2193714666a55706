import { skipSpaces } from './quick-scan.ts';

/** The lines of a text that say something, one after the other: neither empty nor only a comment. */
export interface QuickLines {
  /** Where the line begins that is looked at, where its content does, and where it ends. At the end of the text the indent is -1. */
  readonly lineStart: number;
  readonly content: number;
  readonly end: number;
  /** How far the content is from the margin. A map that begins behind a dash has its own. */
  readonly indent: number;
  /** On to the next line. */
  next(): void;
  /** Looks at what stands behind a dash as if it were a line of its own. */
  goInto(content: number): void;
  /** Goes on with the first line that begins there or later. */
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

/** Where the line after the one of this offset begins. */
export function nextLine(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed < 0 ? text.length : feed + 1;
}

function lineEndFrom(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed < 0 ? text.length : feed;
}
