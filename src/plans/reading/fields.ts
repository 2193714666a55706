import type { PlanProblem } from '../../journal/words/plan.ts';
import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { type Sheet, type SheetMap, textOf, valueAt } from '../sheet/sheet.ts';
import type { Mention } from './draft.ts';
import { type Page, problemAt } from './page.ts';

/** The map of a task, a group or a whole file, and whom it is about. */
export interface Fields {
  readonly page: Page;
  readonly map: SheetMap;
  readonly task: string | null;
  readonly problems: PlanProblem[];
}

/** Keys are tried in order: the first one with a value counts. */
export function textField(fields: Fields, ...keys: readonly string[]): string | null {
  const value = valueAt(fields.map, ...keys);
  if (value === null) return null;
  const text = textOf(value);
  if (text === null) complain(fields, value.start, `"${keys[0]}" must be a text`);
  return text;
}

export function numberField(fields: Fields, key: string): number | null {
  const value = valueAt(fields.map, key);
  if (value === null) return null;
  const number =
    value.kind === 'text' && typeof value.value === 'string' && value.value.trim() !== '' ? Number(value.value) : value.kind === 'text' && value.value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  complain(fields, value.start, `"${key}" must be a number`);
  return null;
}

/** One text or a list of texts, each with its position. */
export function textsField(fields: Fields, ...keys: readonly string[]): readonly Mention[] {
  const value = valueAt(fields.map, ...keys);
  if (value === null) return [];
  const { page } = fields;
  const items = value.kind === 'list' ? value.items : [value];
  const odd = items.find((item) => textOf(item) === null);
  if (odd !== undefined) complain(fields, odd.start, `"${keys[0]}" must be a text or a list of texts`);
  return items.flatMap((item) => {
    const id = textOf(item);
    return id === null ? [] : [{ id, page, offset: item.start }];
  });
}

/** The same, but a text may name several, separated by commas. Each counts once. */
export function namesField(fields: Fields, ...keys: readonly string[]): readonly Mention[] {
  const value = valueAt(fields.map, ...keys);
  if (value === null) return [];
  const texts = textsField(fields, ...keys);
  const names = value.kind === 'list' ? texts : texts.flatMap((text) => text.id.split(',').map((id) => ({ ...text, id })));
  const seen = new Set<string>();
  return names.map((name) => ({ ...name, id: name.id.trim() })).filter(({ id }) => id !== '' && !seen.has(id) && seen.add(id));
}

export function complain({ page, problems, task }: Fields, offset: number, message: string): void {
  problems.push(problemAt({ page, offset }, message, task));
}

/** The map of a task in another tool's words, with some values replaced by those that `readTask` understands. Null removes a key. */
export function withValues(map: SheetMap, values: Readonly<Record<string, string | number | null>>): SheetMap {
  const kept = map.pairs.filter(({ key }) => !Object.hasOwn(values, key));
  const { start, end } = map;
  const news = Object.entries(values).flatMap(([key, value]) => {
    if (value === null) return [];
    const sheet: Sheet = { kind: 'text', value, source: String(value), start, end };
    return [{ key, value: sheet, start, end, afterColon: start, isOwn: false }];
  });
  return { ...map, pairs: [...news, ...kept] };
}

/** Looks up the word of a field in a table of all words that a tool writes there. An unknown word is a problem, and counts as the default. */
export function wordField<Value>(fields: Fields, key: string, words: ReadonlyMap<string, Value>, otherwise: Value): Value {
  const word = textField(fields, key)?.trim();
  if (word === undefined || word === '') return otherwise;
  const value = words.get(word);
  if (value !== undefined) return value;
  const known = [...words.keys()];
  const meant = didYouMean(word, known);
  const help = meant === null ? `it is one of ${known.join(', ')}` : `did you mean ${meant}?`;
  complain(fields, valueAt(fields.map, key)?.start ?? fields.map.start, `unknown ${key} "${word.slice(0, 40)}": ${help}`);
  return otherwise;
}
