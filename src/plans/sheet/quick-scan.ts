import type { SheetPair, SheetText } from './sheet.ts';

/** Thrown for everything that the quick reader leaves to the library. One object for all cases, because the reason does not matter. */
export const UNUSUAL = new Error('This YAML is for the library.');

const SPACE = 0x20;

export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return at;
}

/** A quoted text that ends before `limit`. */
export function readQuoted(text: string, start: number, limit: number): SheetText {
  const end = (text[start] === '"' ? endOfDouble(text, start) : endOfSingle(text, start)) + 1;
  if (end === 0 || end > limit) throw UNUSUAL;
  const source = text.slice(start, end);
  return { kind: 'text', value: text[start] === '"' ? unescaped(source) : source.slice(1, -1).replaceAll("''", "'"), source, start, end };
}

/** An unquoted word that fills this range. */
export function plainText(text: string, start: number, end: number): SheetText {
  const source = text.slice(start, end);
  const value = plainValue(source);
  if (value === undefined) throw UNUSUAL;
  return { kind: 'text', value, source, start, end };
}

/** JSON knows fewer escapes than YAML; those that both know mean the same. */
function unescaped(source: string): string {
  if (!source.includes('\\')) return source.slice(1, -1);
  try {
    return JSON.parse(source);
  } catch {
    throw UNUSUAL;
  }
}

function endOfDouble(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

function endOfSingle(text: string, start: number): number {
  for (let at = text.indexOf("'", start + 1); at >= 0; at = text.indexOf("'", at + 2)) if (text[at + 1] !== "'") return at;
  return -1;
}

const NULL = /^(?:~|[Nn]ull|NULL)?$/;
const TRUE = /^(?:[Tt]rue|TRUE)$/;
const FALSE = /^(?:[Ff]alse|FALSE)$/;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
/** Notations of numbers that plans do not use. */
const RARE = /^(?:0[ox]|[-+]?\.(?:inf|nan)$)/i;

/** The value of an unquoted word in YAML 1.2; undefined for words that the library should read. */
export function plainValue(word: string): string | number | boolean | null | undefined {
  const first = word.charCodeAt(0);
  // A word with any other first letter is text, and most words have one.
  if (first > 0x39 && !/^[fntFNT~]/.test(word)) return word;
  if (NULL.test(word)) return null;
  if (TRUE.test(word)) return true;
  if (FALSE.test(word)) return false;
  if (NUMBER.test(word)) return Number(word);
  return RARE.test(word) ? undefined : word;
}

/** The pairs whose key an earlier pair has. */
export function duplicatePairs(pairs: readonly SheetPair[]): readonly SheetPair[] {
  if (pairs.length <= FEW && !pairs.some(({ key }, nth) => isBefore(pairs, key, nth))) return [];
  const keys = new Set<string>();
  return pairs.filter(({ key }) => keys.size === keys.add(key).size);
}

/** Up to this many are compared faster than a set is made, and nearly all maps have no more. */
const FEW = 16;

function isBefore(pairs: readonly SheetPair[], key: string, end: number): boolean {
  for (let nth = 0; nth < end; nth += 1) if (pairs[nth]?.key === key) return true;
  return false;
}

export function refuseTwice(pairs: readonly SheetPair[]): void {
  if (duplicatePairs(pairs).length > 0) throw UNUSUAL;
}

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
