import type { SheetMap, SheetPair } from '../sheet/sheet.ts';
import { type Change, columnOf, inJson, inLines, inYaml, lineEndAt, lineEndOf } from './changes.ts';
import type { Field } from './set-field.ts';
import { dialectOf } from './set-field.ts';

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
