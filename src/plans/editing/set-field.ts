import type { SheetMap, SheetPair } from '../sheet/sheet.ts';
import { type Change, columnOf, type FieldValue, inJson, inLines, inYaml, lineEndAt, lineEndOf, quoted } from './changes.ts';

export type Dialect = 'yaml' | 'json';

export interface Field {
  readonly key: string;
  readonly value: FieldValue;
}

/** Sets the value of one key of a map, or adds the key behind another one (else at the end). Every other byte stays. */
export function setField(text: string, map: SheetMap, field: Field, behind?: string): Change {
  const pair = ownPair(map, field.key);
  if (pair !== null) return replaceValue(text, map, pair, field.value);
  const neighbour = (behind === undefined ? null : ownPair(map, behind)) ?? map.pairs.findLast(({ isOwn }) => isOwn) ?? null;
  if (neighbour === null) throw new Error('An empty map has no place for a field.');
  return map.isFlow ? insertInBrackets(text, map, neighbour, field) : insertLine(text, neighbour, field);
}

export function ownPair(map: SheetMap, key: string): SheetPair | null {
  return map.pairs.find((pair) => pair.isOwn && pair.key === key) ?? null;
}

/** JSON is YAML too, but must keep its own style: quoted keys show which it is. */
export function dialectOf(text: string, map: SheetMap): Dialect {
  return map.isFlow && text[map.pairs[0]?.start ?? map.start] === '"' ? 'json' : 'yaml';
}

function inDialect(dialect: Dialect, value: FieldValue): string {
  return dialect === 'json' ? inJson(value) : inYaml(value);
}

function replaceValue(text: string, map: SheetMap, { value: old, start, afterColon }: SheetPair, value: FieldValue): Change {
  const isBelow = text.slice(afterColon, old.start).includes('\n');
  const words = map.isFlow
    ? inDialect(dialectOf(text, map), value)
    : isAloneBehind(text, old.end)
      ? blockWords(text, columnOf(text, start), value)
      : inYaml(value);
  if (isBelow || old.start === old.end) return { start: afterColon, end: old.end, text: ` ${words}` };
  return { start: old.start, end: old.end, text: old.kind === 'text' && !map.isFlow ? inStyleOf(old.source, value, words) : words };
}

/** Whether nothing follows the value on its line: a comment there would become part of a block text. */
function isAloneBehind(text: string, offset: number): boolean {
  return text.slice(offset, lineEndAt(text, offset)).trim() === '';
}

/** A quoted value stays quoted, and an unquoted date stays unquoted. */
function inStyleOf(old: string, value: FieldValue, words: string): string {
  if (typeof value !== 'string' || words.startsWith('|')) return words;
  if (old.startsWith('"')) return quoted(value);
  if (old.startsWith("'") && !/[^ -~]|'/.test(value)) return `'${value}'`;
  return /^\d/.test(old) && /^\d[\w.:+-]*[\w]$/.test(value) ? value : words;
}

function blockWords(text: string, column: number, value: FieldValue): string {
  const lines = typeof value === 'string' ? inLines(value, column + 2) : null;
  return lines === null ? inYaml(value) : lines.join(lineEndOf(text));
}

function insertLine(text: string, neighbour: SheetPair, { key, value }: Field): Change {
  const at = lineEndAt(text, neighbour.end);
  const column = keyColumn(text, neighbour);
  return { start: at, end: at, text: `${lineEndOf(text)}${' '.repeat(column)}${inYaml(key)}: ${blockWords(text, column, value)}` };
}

/** An anchor or a tag before a key (`&a output:`) is not part of its indentation. */
function keyColumn(text: string, { start }: SheetPair): number {
  const column = columnOf(text, start);
  const margin = text.slice(start - column, start);
  const properties = /^( *)(?:[&!]\S* +)+$/.exec(margin);
  return properties?.[1]?.length ?? column;
}

function insertInBrackets(text: string, map: SheetMap, neighbour: SheetPair, { key, value }: Field): Change {
  const dialect = dialectOf(text, map);
  const words = `${inDialect(dialect, key)}: ${inDialect(dialect, value)}`;
  const lineStart = neighbour.start - columnOf(text, neighbour.start);
  const margin = text.slice(lineStart, neighbour.start);
  const isAlone = margin.trim() === '' && map.start < lineStart;
  return { start: neighbour.end, end: neighbour.end, text: `,${isAlone ? `${lineEndOf(text)}${margin}` : ' '}${words}` };
}
