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
function dialectOf(text: string, map: SheetMap): Dialect {
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

/** Appends maps to the list of a pair of `map`, in the style of its items. An empty list in a block-style file becomes a block list. */
export function addItems(text: string, map: SheetMap, pair: SheetPair, items: readonly (readonly Field[])[]): Change {
  const { value: list, afterColon } = pair;
  const isJson = dialectOf(text, map) === 'json';
  if (list.kind === 'list' && list.items.length > 0) return list.isFlow ? intoBrackets(text, list.items, items, isJson) : belowLast(text, list, items);
  if (isJson) return { start: list.start, end: list.end, text: fillBrackets(text, pair, items) };
  if (map.isFlow) return { start: list.start, end: list.end, text: `[${items.map((item) => inBraces(item, false)).join(', ')}]` };
  const column = columnOf(text, pair.start) + 2;
  return { start: afterColon, end: Math.max(list.end, afterColon), text: items.map((item) => below(text, column, item)).join('') };
}

function belowLast(text: string, list: { readonly start: number; readonly end: number }, items: readonly (readonly Field[])[]): Change {
  const at = lineEndAt(text, list.end);
  return { start: at, end: at, text: items.map((item) => below(text, columnOf(text, list.start), item)).join('') };
}

function below(text: string, column: number, item: readonly Field[]): string {
  const eol = lineEndOf(text);
  const lines = item.map(({ key, value }) => {
    const block = typeof value === 'string' ? inLines(value, column + 4) : null;
    return `${key}: ${block === null ? inYaml(value) : block.join(eol)}`;
  });
  return lines.map((line, nth) => `${eol}${' '.repeat(column)}${nth === 0 ? '- ' : '  '}${line}`).join('');
}

function intoBrackets(
  text: string,
  old: readonly { readonly start: number; readonly end: number }[],
  items: readonly (readonly Field[])[],
  isJson: boolean,
): Change {
  const last = old.at(-1) ?? { start: 0, end: 0 };
  const margin = text.slice(last.start - columnOf(text, last.start), last.start);
  const isAlone = margin.trim() === '';
  const separator = isAlone ? `,${lineEndOf(text)}${margin}` : ', ';
  const words = items.map((item) => `${separator}${isJson && isAlone ? inJsonLines(text, margin, item) : inBraces(item, isJson)}`);
  return { start: last.end, end: last.end, text: words.join('') };
}

function fillBrackets(text: string, pair: SheetPair, items: readonly (readonly Field[])[]): string {
  const outer = ' '.repeat(columnOf(text, pair.start));
  const eol = lineEndOf(text);
  return `[${items.map((item) => `${eol}${outer}  ${inJsonLines(text, `${outer}  `, item)}`).join(',')}${eol}${outer}]`;
}

function inJsonLines(text: string, margin: string, item: readonly Field[]): string {
  const eol = lineEndOf(text);
  const lines = item.map(({ key, value }) => `${eol}${margin}  ${inJson(key)}: ${inJson(value)}`);
  return `{${lines.join(',')}${eol}${margin}}`;
}

function inBraces(item: readonly Field[], isJson: boolean): string {
  const words = item.map(({ key, value }) => (isJson ? `${inJson(key)}: ${inJson(value)}` : `${key}: ${inYaml(value)}`));
  return isJson ? `{${words.join(', ')}}` : `{ ${words.join(', ')} }`;
}
