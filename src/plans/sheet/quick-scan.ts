import { plainValue } from './plain-value.ts';
import type { SheetText } from './sheet.ts';

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
