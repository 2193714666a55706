import * as z from 'zod';
import { parseBytes } from '../kit/pure/byte-size.ts';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { parseDuration } from '../kit/pure/duration.ts';
import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';

// The kinds of settings. Each says for itself what is wrong, as the end of a sentence that begins with its key.

const notEmpty = { error: 'must not be empty' } as const;

export const text = z.string(must('a text'));
export const filledText = z.string(must('a text')).refine((value) => value.trim() !== '', notEmpty);
export const flag = z.boolean(must('true or false'));
export const integer = z.int(must('an integer'));
export const positiveInteger = z.int(must('a positive integer')).positive(must('a positive integer'));

/** `"20m"`, `"1h30m"`, seconds as a number, or `"off"`. */
export const duration = textOrNumber('a duration such as "20m", "90s" or "off"', parseDuration);
export const bytes = textOrNumber('a size such as "4GiB" or "500MB"', parseBytes);

export function listOf<Item extends z.ZodType>(item: Item, what: string) {
  return z.array(item, must(what));
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, must(`one of ${words.join(', ')}`));
}

/** Its keys and no others: a misspelt guardrail must not be a missing one. */
export function group<Shape extends z.ZodRawShape>(shape: Shape, what = 'an object') {
  const known = Object.keys(shape);
  return z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? isNoSetting(issue.keys[0] ?? '', known) : must(what).error(issue)) });
}

/** A text that must be one of the words, in any case. */
export function wordOf(words: readonly string[], what: string) {
  return z.string(must(what)).refine((value) => words.includes(value.toUpperCase()), must(what));
}

function textOrNumber(what: string, parse: (value: string | number) => number | null) {
  return z.union([z.string(), z.number()], must(what)).refine((value) => parse(value) !== null, must(what));
}

function must(what: string) {
  return { error: ({ input }: { readonly input?: unknown }) => (input === undefined ? notEmpty.error : `must be ${what}, got ${shown(input)}`) };
}

function isNoSetting(key: string, known: readonly string[]): string {
  const near = didYouMean(key, known);
  return `is not a setting${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** Short, whatever it is: a line stays a line. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number') return String(value);
  return truncateCodePoints(JSON.stringify(value) ?? typeof value, 60, '…');
}
