/** What is printed, and the words after which a line is typed. */
export interface Question {
  readonly before: readonly string[];
  /** A line above the question that only helps. */
  readonly hint: string | null;
  readonly prompt: string;
}

/**
 * Asks one thing after the other; is sent each line as it was typed. No promises in between: of lines pasted at once each must meet
 * its own question, and the next question must be on the screen before the next line is.
 */
export type Interview<T> = Generator<Question, T, string>;

/** What an answer means, or what to say before the question is asked again. */
export type Reading<T> = { readonly value: T } | { readonly again: string };

interface Around {
  readonly before?: readonly string[];
  readonly hint?: string | null;
}

/** Asks until the answer can be read. */
export function* ask<T>(prompt: string, read: (answer: string) => Reading<T>, { before = [], hint = null }: Around = {}): Interview<T> {
  let reading = read(yield { before, hint, prompt });
  while ('again' in reading) {
    const [indent = ''] = /^ */.exec(prompt) ?? [];
    reading = read(yield { before: [`${indent}${reading.again}`], hint: null, prompt });
  }
  return reading.value;
}
