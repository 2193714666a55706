import { splitWords } from '../../kit/pure/split-words.ts';
import type { Reading } from './interview.ts';

// How answers are read. Blank means the default wherever there is one.

export const anyText = (answer: string): Reading<string> => ({ value: answer });

export const textOr =
  (otherwise: string) =>
  (answer: string): Reading<string> => ({ value: answer || otherwise });

export const required =
  (what: string) =>
  (answer: string): Reading<string> =>
    answer === '' ? { again: `${what} is required` } : { value: answer };

/** A command line must end where it ends: a run would refuse an open quote. */
export const commandLine =
  (what: string) =>
  (answer: string): Reading<string> =>
    openQuoteIn(answer) ?? required(what)(answer);

/** Words between commas, without the blanks around them. */
export function commaList(answer: string): Reading<readonly string[]> {
  return { value: splitAtCommas(answer) };
}

export function flagList(answer: string): Reading<readonly string[]> {
  const flags = splitAtCommas(answer);
  return flags.map(openQuoteIn).find((problem) => problem !== null) ?? { value: flags };
}

export const positiveOr =
  (otherwise: number) =>
  (answer: string): Reading<number> =>
    integer(answer, otherwise, { least: 1, complaint: 'Must be greater than 0' });

export const countOr =
  (otherwise: number) =>
  (answer: string): Reading<number> =>
    integer(answer, otherwise, { least: 0, complaint: 'Must not be negative' });

export const yesOr =
  (otherwise: boolean) =>
  (answer: string): Reading<boolean> =>
    readWord(YES_NO, answer, otherwise) ?? { again: 'Please enter y or n' };

export const trueOr =
  (otherwise: boolean) =>
  (answer: string): Reading<boolean> =>
    readWord({ ...YES_NO, true: true, false: false }, answer, otherwise) ?? { again: 'Please enter true/false or y/n' };

const FAIL_ACTIONS = ['APPEND', 'PREPEND', 'REPLACE'] as const;
export type FailAction = (typeof FAIL_ACTIONS)[number];

export function failAction(answer: string): Reading<FailAction> {
  const value = FAIL_ACTIONS.find((word) => word === answer.toUpperCase());
  return value === undefined ? { again: 'Please enter APPEND, PREPEND or REPLACE' } : { value };
}

const YES_NO: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false };

function readWord(words: Readonly<Record<string, boolean>>, answer: string, otherwise: boolean): Reading<boolean> | null {
  if (answer === '') return { value: otherwise };
  const word = answer.toLowerCase();
  const value = Object.hasOwn(words, word) ? words[word] : undefined;
  return value === undefined ? null : { value };
}

function integer(answer: string, otherwise: number, { least, complaint }: { readonly least: number; readonly complaint: string }): Reading<number> {
  if (answer === '') return { value: otherwise };
  const value = Number(answer);
  if (!/^[+-]?\d+$/.test(answer) || !Number.isSafeInteger(value)) return { again: 'Please enter a valid number' };
  return value < least ? { again: complaint } : { value };
}

/** Null: none. */
export function openQuoteIn(words: string): { readonly again: string } | null {
  const split = splitWords(words);
  return split.kind === 'unterminated' ? { again: `There is an open ${split.by} in: ${words}` } : null;
}

export function splitAtCommas(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
