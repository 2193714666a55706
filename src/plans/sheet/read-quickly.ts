import { readFlow } from './quick-flow.ts';
import { nextLine, plainText, type QuickLines, quickLines, readQuoted, refuseTwice, skipSpaces, UNUSUAL } from './quick-scan.ts';
import { DEEPEST, type Sheet, type SheetList, type SheetMap, type SheetPair, type SheetText } from './sheet.ts';

interface Reader {
  readonly text: string;
  readonly lines: QuickLines;
  depth: number;
}

/** Tabs, control characters, lone carriage returns and unusual line ends are left to the library. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for.
const STRANGE = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff]|\r(?!\n)/;
const KEY = /(?:[A-Za-z0-9_][\w.-]*|"[^"\\\n\r]*") *:(?=[ \r\n]|$)/y;
/** A plain word begins with none of these, because they have a meaning in YAML. */
const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';

/**
 * Reads YAML as plans are usually written, and JSON, about fifty times as fast as the library. Null for everything unusual, valid or not: the library decides.
 * The result is the same as the library's, offsets included; the tests compare the two.
 */
export function readQuickly(text: string): Sheet | null {
  if (STRANGE.test(text)) return null;
  try {
    return readWhole(text);
  } catch (error) {
    if (error === UNUSUAL) return null;
    throw error;
  }
}

function readWhole(text: string): Sheet {
  const reader: Reader = { text, lines: quickLines(text), depth: 0 };
  const { lines } = reader;
  if (text[lines.content] === '{' || text[lines.content] === '[') {
    const sheet = readFlow(text, lines.content, text.length);
    if (text.slice(sheet.end).trim() !== '') throw UNUSUAL;
    return sheet;
  }
  if (lines.indent !== 0) throw UNUSUAL;
  const sheet = readBlock(reader);
  if (lines.indent >= 0) throw UNUSUAL;
  return sheet;
}

function readBlock(reader: Reader): SheetList | SheetMap {
  reader.depth += 1;
  if (reader.depth > DEEPEST) throw UNUSUAL;
  const block = isDash(reader) ? readList(reader) : readMap(reader);
  reader.depth -= 1;
  return block;
}

function readMap(reader: Reader): SheetMap {
  const { lines } = reader;
  const { indent, content: start } = lines;
  const pairs: SheetPair[] = [];
  while (lines.indent === indent && !isDash(reader)) pairs.push(readPair(reader, indent));
  if (lines.indent > indent) throw UNUSUAL;
  refuseTwice(pairs);
  return { kind: 'map', pairs, isFlow: false, start, end: pairs.at(-1)?.end ?? start };
}

function readPair(reader: Reader, indent: number): SheetPair {
  const { text, lines } = reader;
  const start = lines.content;
  const afterColon = colonAt(reader);
  if (afterColon === 0) throw UNUSUAL;
  const key = keyIn(text, start, afterColon);
  const value = skipSpaces(text, afterColon);
  const isEmpty = value >= lines.end || text[value] === '#';
  const sheet = isEmpty ? readBelow(reader, indent, afterColon) : readBeside(reader, value, indent);
  return { key, start, afterColon, value: sheet, isOwn: true, end: Math.max(sheet.end, afterColon) };
}

/** The value below a key with nothing beside it. A list may have the same indentation as its key. */
function readBelow(reader: Reader, indent: number, afterColon: number): Sheet {
  const { lines } = reader;
  lines.next();
  if (lines.indent > indent || (lines.indent === indent && isDash(reader))) return readBlock(reader);
  return { kind: 'text', value: null, source: '', start: afterColon, end: afterColon };
}

function readList(reader: Reader): SheetList {
  const { text, lines } = reader;
  const { indent, content: start } = lines;
  const items: Sheet[] = [];
  while (lines.indent === indent && isDash(reader)) {
    const inner = skipSpaces(text, lines.content + 1);
    if (inner >= lines.end || text[inner] === '#') throw UNUSUAL;
    lines.goInto(inner);
    items.push(colonAt(reader) === 0 ? readBeside(reader, inner, indent) : readBlock(reader));
  }
  if (lines.indent > indent) throw UNUSUAL;
  return { kind: 'list', items, isFlow: false, start, end: items.at(-1)?.end ?? start };
}

/** A value on the line of its key or dash. A deeper next line would belong to it. */
function readBeside(reader: Reader, start: number, indent: number): Sheet {
  const { text, lines } = reader;
  const char = text.charAt(start);
  if (char === '|' || char === '>') {
    const { sheet, next } = readBlockText(text, start, indent);
    lines.goTo(next);
    return sheet;
  }
  const sheet = readOnLine(reader, start, char);
  lines.next();
  if (lines.indent > indent) throw UNUSUAL;
  return sheet;
}

function readOnLine({ text, lines }: Reader, start: number, char: string): Sheet {
  if (char === '[' || char === '{') return nothingBehind(text, lines.end, readFlow(text, start, lines.end));
  if (char === '"' || char === "'") return nothingBehind(text, lines.end, readQuoted(text, start, lines.end));
  if (INDICATORS.includes(char) && !(char === '-' && /[^ \r\n]/.test(text.charAt(start + 1)))) throw UNUSUAL;
  const line = text.slice(start, lines.end);
  const comment = line.indexOf(' #');
  const word = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  if (word.includes(': ') || word.endsWith(':')) throw UNUSUAL;
  return plainText(text, start, start + word.length);
}

function nothingBehind<S extends Sheet>(text: string, lineEnd: number, sheet: S): S {
  const rest = text.slice(sheet.end, lineEnd);
  if (rest.trim() !== '' && !/^ +#/.test(rest)) throw UNUSUAL;
  return sheet;
}

function isDash({ text, lines }: Reader): boolean {
  return text[lines.content] === '-' && (lines.content + 1 >= lines.end || text[lines.content + 1] === ' ');
}

/** The end of the colon after a key at the start of the line; 0 when there is none. */
function colonAt({ text, lines }: Reader): number {
  KEY.lastIndex = lines.content;
  return KEY.test(text) ? KEY.lastIndex : 0;
}

function keyIn(text: string, start: number, afterColon: number): string {
  const key = text.slice(start, afterColon - 1).trimEnd();
  return key.startsWith('"') ? key.slice(1, -1) : key;
}

const HEADER = /([|>])(-?) *\r?$/;

/** A text of several lines behind `|` or `>`, and the line after it. `indent` is that of its key; the text must be deeper. */
function readBlockText(text: string, start: number, indent: number): { readonly sheet: SheetText; readonly next: number } {
  const first = nextLine(text, start);
  const header = HEADER.exec(text.slice(start, first).replace(/\n$/, ''));
  if (header === null || header.index !== 0) throw UNUSUAL;
  const { lines, next, end } = blockLines(text, first, indent);
  const isFolded = header[1] === '>';
  const joined = isFolded ? folded(lines) : lines.join('\n');
  const value = header[2] === '-' ? joined : `${joined}\n`;
  return { sheet: { kind: 'text', value, source: text.slice(start, end), start, end }, next };
}

/** All lines that are empty or indented as far as the first one, without empty lines at the end. */
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
  // Less indented than the text but more than its key: invalid YAML, or a comment.
  if (skipSpaces(text, at) - at > indent) throw UNUSUAL;
  while (lines.at(-1) === '') lines.pop();
  return { lines, next: at, end };
}

/** Null: the text has ended. Spaces beyond the margin of an empty line would belong to it. */
function lineIn(text: string, at: number, depth: number): string | null {
  const stop = endOfLine(text, at);
  const content = skipSpaces(text, at);
  if (content < stop) return content - at < depth ? null : text.slice(at + depth, stop);
  if (stop - at > depth) throw UNUSUAL;
  return '';
}

/** A line feed becomes a space, and of several one is dropped. Indented lines keep theirs: those are left to the library. */
function folded(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith(' '))) throw UNUSUAL;
  return lines.join('\n').replaceAll(/\n+/g, (feeds) => (feeds.length === 1 ? ' ' : feeds.slice(1)));
}

function endOfLine(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  const end = feed < 0 ? text.length : feed;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
}
