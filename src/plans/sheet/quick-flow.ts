import { plainText, readQuoted, refuseTwice, skipSpaces, UNUSUAL } from './quick-scan.ts';
import { DEEPEST, type Sheet, type SheetList, type SheetMap, type SheetPair } from './sheet.ts';

/** The range of a list or a map in brackets. A limit at the end of its line keeps it on the line; one at the end of the text lets it span lines. */
interface Range {
  readonly text: string;
  readonly limit: number;
  readonly depth: number;
}

const KEY = /[A-Za-z0-9_][\w.-]*/y;
/** Begins like a name, a path or a number, and has no character with a meaning in YAML. */
const WORD = /(?:[A-Za-z0-9_./~(]|-(?=\d))[^\n\r,[\]{}#:"'&*!|>%@`?\\]*/y;

/** The list or map in brackets at `start`. */
export function readFlow(text: string, start: number, limit: number): SheetList | SheetMap {
  return readBrackets({ text, limit, depth: 0 }, start);
}

function readBrackets(range: Range, start: number): SheetList | SheetMap {
  if (range.depth > DEEPEST) throw UNUSUAL;
  return range.text[start] === '[' ? readList(range, start) : readMap(range, start);
}

function readList(range: Range, start: number): SheetList {
  const items: Sheet[] = [];
  const end = readParts(range, start, ']', (at) => {
    const item = readValue(range, at);
    items.push(item);
    return item.end;
  });
  return { kind: 'list', items, isFlow: true, start, end };
}

function readMap(range: Range, start: number): SheetMap {
  const pairs: SheetPair[] = [];
  const end = readParts(range, start, '}', (at) => {
    const pair = readPair(range, at);
    pairs.push(pair);
    return pair.end;
  });
  refuseTwice(pairs);
  return { kind: 'map', pairs, isFlow: true, start, end };
}

/** The comma-separated parts between brackets. Returns the end of the closing bracket. */
function readParts(range: Range, start: number, close: string, readPart: (at: number) => number): number {
  const first = skip(range, start + 1);
  if (range.text[first] === close) return within(range, first + 1);
  for (let at = first; ; ) {
    const next = skip(range, readPart(at));
    const char = range.text[next];
    if (char === close) return within(range, next + 1);
    if (char !== ',') throw UNUSUAL;
    at = skip(range, next + 1);
  }
}

function readPair(range: Range, start: number): SheetPair {
  const { text, limit } = range;
  const isQuoted = text[start] === '"';
  const quoted = isQuoted ? onOneLine(text, readQuoted(text, start, limit)) : null;
  const key = quoted === null ? wordAt(KEY, text, start) : String(quoted.value);
  const colon = skipSpaces(text, quoted?.end ?? start + key.length);
  // Without quotes, a colon that is followed by a character belongs to the word.
  if (text[colon] !== ':' || (!isQuoted && text[colon + 1] !== ' ')) throw UNUSUAL;
  const value = readValue(range, skip(range, colon + 1));
  return { key, start, afterColon: colon + 1, value, isOwn: true, end: value.end };
}

function readValue(range: Range, start: number): Sheet {
  const { text, limit, depth } = range;
  const char = text[start];
  if (char === '[' || char === '{') return readBrackets({ text, limit, depth: depth + 1 }, start);
  if (char === '"' || char === "'") return onOneLine(text, readQuoted(text, start, limit));
  const word = wordAt(WORD, text, start).trimEnd();
  return plainText(text, start, within(range, start + word.length));
}

function onOneLine<S extends Sheet>(text: string, sheet: S): S {
  const lineFeed = text.indexOf('\n', sheet.start);
  if (lineFeed >= 0 && lineFeed < sheet.end) throw UNUSUAL;
  return sheet;
}

function wordAt(pattern: RegExp, text: string, start: number): string {
  pattern.lastIndex = start;
  const found = pattern.exec(text)?.[0];
  if (found === undefined) throw UNUSUAL;
  return found;
}

function skip({ text, limit }: Range, from: number): number {
  let at = skipSpaces(text, from);
  while (at < limit && (text[at] === '\n' || text[at] === '\r')) at = skipSpaces(text, at + 1);
  if (at >= limit) throw UNUSUAL;
  return at;
}

function within({ limit }: Range, end: number): number {
  if (end > limit) throw UNUSUAL;
  return end;
}
