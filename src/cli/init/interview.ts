import { OperatorError } from '../../kit/pure/operator-error.ts';
import { splitWords } from '../../kit/pure/shell-words.ts';
import { checkSettings } from '../../settings/check-settings.ts';
import { DEFAULTS } from '../../settings/schema/settings-defaults.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';

/** What to print, and the prompt after which the operator types a line. */
export interface Question {
  readonly before: readonly string[];
  /** An optional line of help above the question. */
  readonly hint: string | null;
  readonly prompt: string;
}

/**
 * Yields one question after the other and receives each typed line. It is synchronous: if several lines are pasted at once, each
 * must answer its own question, and a question must be on the screen before its answer.
 */
export type Interview<T> = Generator<Question, T, string>;

/** The value of an answer, or the complaint to print before asking again. */
export type ParsedAnswer<T> = { readonly value: T } | { readonly again: string };

interface Around {
  readonly before?: readonly string[];
  readonly hint?: string | null;
}

/** Asks until the answer is valid. */
export function* ask<T>(prompt: string, read: (answer: string) => ParsedAnswer<T>, { before = [], hint = null }: Around = {}): Interview<T> {
  let reading = read(yield { before, hint, prompt });
  while ('again' in reading) {
    const [indent = ''] = /^ */.exec(prompt) ?? [];
    reading = read(yield { before: [`${indent}${reading.again}`], hint: null, prompt });
  }
  return reading.value;
}

// Parsers of answers. A blank answer means the default, if there is one.

export const anyText = (answer: string): ParsedAnswer<string> => ({ value: answer });

export const textOr =
  (otherwise: string) =>
  (answer: string): ParsedAnswer<string> => ({ value: answer || otherwise });

export const required =
  (what: string) =>
  (answer: string): ParsedAnswer<string> =>
    answer === '' ? { again: `${what} is required` } : { value: answer };

/** Refuses an open quote here, because a run would refuse it later. */
export const commandLine =
  (what: string) =>
  (answer: string): ParsedAnswer<string> =>
    openQuoteIn(answer) ?? required(what)(answer);

/** Words between commas, trimmed. */
export function commaList(answer: string): ParsedAnswer<readonly string[]> {
  return { value: splitAtCommas(answer) };
}

export function flagList(answer: string): ParsedAnswer<readonly string[]> {
  const flags = splitAtCommas(answer);
  return flags.map(openQuoteIn).find((problem) => problem !== null) ?? { value: flags };
}

export const positiveOr =
  (otherwise: number) =>
  (answer: string): ParsedAnswer<number> =>
    integer(answer, otherwise, { least: 1, complaint: 'Must be greater than 0' });

export const countOr =
  (otherwise: number) =>
  (answer: string): ParsedAnswer<number> =>
    integer(answer, otherwise, { least: 0, complaint: 'Must not be negative' });

export const yesOr =
  (otherwise: boolean) =>
  (answer: string): ParsedAnswer<boolean> =>
    readWord(YES_NO, answer, otherwise) ?? { again: 'Please enter y or n' };

export const trueOr =
  (otherwise: boolean) =>
  (answer: string): ParsedAnswer<boolean> =>
    readWord({ ...YES_NO, true: true, false: false }, answer, otherwise) ?? { again: 'Please enter true/false or y/n' };

const FAIL_ACTIONS = ['APPEND', 'PREPEND', 'REPLACE'] as const;
export type FailAction = (typeof FAIL_ACTIONS)[number];

export function failAction(answer: string): ParsedAnswer<FailAction> {
  const value = answer === '' ? 'APPEND' : FAIL_ACTIONS.find((word) => word === answer.toUpperCase());
  return value === undefined ? { again: 'Please enter APPEND, PREPEND or REPLACE' } : { value };
}

const YES_NO: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false };

function readWord(words: Readonly<Record<string, boolean>>, answer: string, otherwise: boolean): ParsedAnswer<boolean> | null {
  if (answer === '') return { value: otherwise };
  const word = answer.toLowerCase();
  const value = Object.hasOwn(words, word) ? words[word] : undefined;
  return value === undefined ? null : { value };
}

function integer(answer: string, otherwise: number, { least, complaint }: { readonly least: number; readonly complaint: string }): ParsedAnswer<number> {
  if (answer === '') return { value: otherwise };
  const value = Number(answer);
  if (!/^[+-]?\d+$/.test(answer) || !Number.isSafeInteger(value)) return { again: 'Please enter a valid number' };
  return value < least ? { again: complaint } : { value };
}

/** Null if there is none. */
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

export interface NewGuardrail {
  readonly command: string;
  readonly failAction: FailAction;
  readonly hint?: string;
}

/** What init asks for, or gets from flags. */
export interface Answers {
  readonly agent: { readonly command: string; readonly flags: readonly string[] };
  readonly maximumIterations: number;
  readonly completionResponse: string;
  readonly includeIterationCountInPrompt: boolean;
  readonly guardrails: readonly NewGuardrail[];
  readonly reviews: SettingsFile['reviews'] | null;
  readonly scm: { readonly command: string; readonly tasks: readonly string[] } | null;
}

/** The settings of these answers, in the seed's order. Refuses what a run would refuse. */
export function newSettings({ agent, guardrails, reviews, scm, ...answers }: Answers): SettingsFile {
  const settings = {
    $schema: './settings.schema.json',
    maximumIterations: answers.maximumIterations,
    completionResponse: answers.completionResponse,
    outputTruncateChars: DEFAULTS.outputTruncateChars,
    streamAgentOutput: DEFAULTS.streamAgentOutput,
    includeIterationCountInPrompt: answers.includeIterationCountInPrompt,
    agent: { command: agent.command, flags: [...agent.flags] },
    guardrails: guardrails.map((guardrail) => ({ ...guardrail })),
    ...(reviews === null ? {} : { reviews }),
    ...(scm === null ? {} : { scm: { command: scm.command, tasks: [...scm.tasks] } }),
  };
  checkSettings(settings, (problem) => new OperatorError('usage', problem, { hint: 'ralph init --help shows every option.', exitCode: 2 }));
  return settings;
}

/** As written to the file. */
export function settingsText(settings: SettingsFile): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}
