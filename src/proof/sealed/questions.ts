import type { SealedCheck, SealedList } from './sealed-list.ts';

interface Dice {
  /** A fresh word that nobody can guess. */
  nonce(): string;
  /** A whole number from 0 to less than this. */
  below(most: number): number;
}

export interface Question {
  readonly nonce: string;
  readonly check: SealedCheck;
}

/** One process of a driver, with all its questions. */
export interface Round {
  readonly driver: string;
  readonly isWeak: boolean;
  readonly questions: readonly Question[];
}

/** How often each check is asked at least, so that code whose answers depend on the number of calls is detected. */
const LEAST_ASKED = 2;

/** One process for each driver: every check several times, in an order and a number that the product cannot know, each time with a fresh nonce. */
export function roundsOf({ checks }: SealedList, dice: Dice): readonly Round[] {
  const drivers = [...new Set(checks.map(({ driver }) => driver))];
  const rounds = drivers.flatMap((driver): readonly Round[] => {
    const own = checks.filter((check) => check.driver === driver);
    const judged = own.filter(({ expect }) => expect !== null);
    const weak = own.filter(({ expect }) => expect === null).map((check) => ({ driver, isWeak: true, questions: [{ nonce: dice.nonce(), check }] }));
    const asked = judged.flatMap((check) => Array.from({ length: LEAST_ASKED + dice.below(2) }, () => ({ nonce: dice.nonce(), check })));
    return [...(asked.length === 0 ? [] : [{ driver, isWeak: false, questions: shuffled(asked, dice) }]), ...weak];
  });
  return shuffled(rounds, dice);
}

/** The input of the driver: a line for each question, with its nonce and its input as JSON. */
export function linesFor({ questions }: Round): string {
  return questions.map(({ nonce, check }) => `${nonce} ${JSON.stringify(check.input)}\n`).join('');
}

export interface Answered {
  readonly check: SealedCheck;
  readonly green: boolean;
  /** The answers as they were printed; empty if there were none. */
  readonly got: readonly string[];
}

interface Ran {
  readonly output: string;
  /** Whether it exited by itself, with code 0. */
  readonly endedWell: boolean;
}

/** The result of each check of a round. The loop compares: the product never sees what is expected. */
export function judgeRound({ isWeak, questions }: Round, { output, endedWell }: Ran): readonly Answered[] {
  const lines = isWeak ? [] : output.split(/\r?\n/);
  const answers = questions.map(({ nonce, check }): Answered => {
    const got = lines.filter((line) => line.startsWith(`${nonce} `)).map((line) => line.slice(nonce.length + 1).trim());
    return { check, got, green: endedWell && (isWeak || (got.length > 0 && got.every((text) => isExpected(text, check)))) };
  });
  return [...new Set(questions.map(({ check }) => check))].map((check) => {
    const own = answers.filter((answer) => answer.check === check);
    return { check, green: own.every(({ green }) => green), got: own.flatMap(({ got }) => got) };
  });
}

function isExpected(text: string, { expect }: SealedCheck): boolean {
  try {
    return expect !== null && isSame(JSON.parse(text), expect.value);
  } catch {
    return false;
  }
}

/** Compares two JSON values; the order of keys does not count. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const at = (value: object, key: string) => (value as Readonly<Record<string, unknown>>)[key];
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isSame(at(one, key), at(other, key)));
}

function shuffled<T>(all: readonly T[], dice: Dice): readonly T[] {
  const left = [...all];
  return all.flatMap(() => left.splice(dice.below(left.length), 1));
}
