import * as z from 'zod';
import { parseBytes, parseDuration } from '../../kit/pure/amounts.ts';
import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { redact } from '../../kit/pure/redact.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

// The kinds of settings. Each has its own error message: the end of a sentence that begins with the key.

const notEmpty = { error: 'must not be empty' } as const;
const NUMBER = String.raw`\d{1,15}(?:\.\d{1,9})?`;
/** In a union, an option that does not fit stops at once, so that the message is that of the union. */
const FITS_OR_NOT = { abort: true } as const;
const OFF = '[Oo][Ff][Ff]';
const SECRET = String.raw`env:[A-Za-z_]\w*|file:\S[^\n]*`;

export const text = z.string(must('a text'));
export const filledText = z.string(must('a text')).regex(/\S/, notEmpty);
export const flag = z.boolean(must('true or false'));
export const integer = z.int(must('an integer'));
export const count = z.int(must('an integer')).nonnegative(must('non-negative'));
export const positiveInteger = z.int(must('a positive integer')).positive(must('a positive integer'));
export const positiveNumber = z.number(must('a positive number')).positive(must('a positive number'));
export const amount = z.number(must('a number')).nonnegative(must('non-negative'));

/** `"20m"`, `"1h30m"`, seconds as a number, or `"off"`. */
export const duration = textOrNumber(
  {
    name: 'duration',
    what: 'a duration such as "20m", "90s" or "off"',
    text: `${OFF}|${NUMBER}|${amountsOf('[Dd]', '[Hh]', '[Mm]', '[Ss]', '[Mm][Ss]')}`,
    number: z.number().max(Math.floor(Number.MAX_SAFE_INTEGER / 1000), FITS_OR_NOT),
  },
  parseDuration,
);
export const bytes = textOrNumber(
  {
    name: 'size',
    what: 'a size such as "4GiB" or "500MB"',
    text: `${OFF}|${NUMBER} ?(?:[KMGTkmgt](?:[Ii]?[Bb])?|[Bb])?`,
    number: z.int(FITS_OR_NOT),
  },
  parseBytes,
);

/** Where a secret is, never the secret itself. A refused value is not shown: somebody may have typed the secret. */
export const secret = unshown(SECRET, 'env:NAME for a variable or file:PATH for a file: a secret is never in the settings');

/** An address without a user, a password or a query, because these may be secrets; or where the whole address is. */
export const webAddress = unshown(
  String.raw`https?://[^\s@?#/]+(?:/[^\s?#]*)?|${SECRET}`,
  'a web address without a password and a query, or env:NAME or file:PATH',
);

/** A text of this form, or where it is. */
export function textOrSecret(form: string, what: string) {
  return unshown(`${form}|${SECRET}`, `${what}, or env:NAME or file:PATH`);
}

export function textLike(form: string, what: string) {
  return z.string(must(what)).regex(new RegExp(`^(?:${form})$`), must(what));
}

export function listOf<Item extends z.ZodType>(item: Item, what: string) {
  return z.array(item, must(what));
}

export function integerFrom(least: number, most: number) {
  const bounds = must(`an integer from ${least} to ${most}`);
  return z.int(bounds).min(least, bounds).max(most, bounds);
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, must(`one of ${words.join(', ')}`));
}

/** Refuses unknown keys: a misspelt guardrail must not become a missing one. */
export function group<Shape extends z.ZodRawShape>(shape: Shape, what = 'an object') {
  const known = Object.keys(shape);
  return z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? isNoSetting(issue.keys[0] ?? '', known) : must(what).error(issue)) });
}

/** The operator chooses the keys; all values have the same kind. */
export function mapOf<Value extends z.ZodType>(key: z.ZodString, value: Value, what: string) {
  return z.record(key, value, {
    error: (issue) => (issue.code === 'invalid_key' ? `is no name for this; it must be ${what}` : must('an object').error(issue)),
  });
}

/** A text that must be one of the words, in upper or lower case. Editors offer the words as written here. */
export function wordOf(words: readonly string[], what: string) {
  const inAnyCase = words.map((word) => word.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`));
  return z.union([z.enum(words), z.string().regex(new RegExp(`^(?:${inAnyCase.join('|')})$`), FITS_OR_NOT)], must(what));
}

/** What an editor can check: only patterns and bounds. The parser checks more. */
interface Written {
  readonly name: string;
  readonly what: string;
  readonly text: string;
  readonly number: z.ZodNumber;
}

function textOrNumber({ name, what, text: form, number }: Written, parse: (value: string | number) => number | null) {
  const written = z.string().regex(new RegExp(String.raw`^\s*(?:${form})\s*$`), FITS_OR_NOT);
  return z
    .union([written, number.nonnegative(FITS_OR_NOT)], must(what))
    .refine((value) => parse(value) !== null, must(what))
    .meta({ title: name });
}

/** A pattern for amounts with these units, in this order; each is optional, but at least one is needed. */
function amountsOf(...units: readonly string[]): string {
  return String.raw`(?=\d)${units.map((unit) => String.raw`(?:${NUMBER}\s?${unit})?`).join(String.raw`\s?`)}`;
}

function unshown(form: string, what: string) {
  const error = { error: ({ input }: { readonly input?: unknown }) => (input === undefined ? notEmpty.error : `must be ${what}`) };
  return z.string(error).regex(new RegExp(`^(?:${form})$`), error);
}

function must(what: string) {
  return { error: ({ input }: { readonly input?: unknown }) => (input === undefined ? notEmpty.error : `must be ${what}, got ${shown(input)}`) };
}

function isNoSetting(key: string, known: readonly string[]): string {
  const near = didYouMean(key, known);
  return `is not a setting${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** Cut to one short line and redacted: somebody may have put a secret into the wrong setting. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number') return String(value);
  return truncateCodePoints(redact(JSON.stringify(value) ?? typeof value), 60, '…');
}
