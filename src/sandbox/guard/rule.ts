import type { CategoryNumber } from './categories.ts';
import type { Step } from './step.ts';
import type { GuardPlace } from './verdict.ts';

export interface Objection {
  readonly level: 'warn' | 'block';
  readonly why: string;
}

/** One thing the guard has something against. */
export interface Rule {
  readonly id: string;
  readonly category: CategoryNumber;
  /** The commands it looks at; null: all. */
  readonly names: readonly string[] | null;
  readonly look: (step: Step, place: GuardPlace) => Objection | null;
}

export const block = (why: string): Objection => ({ level: 'block', why });
export const warn = (why: string): Objection => ({ level: 'warn', why });

/** For commands that are never an agent's business, whatever their words are. */
export const never = (id: string, category: CategoryNumber, names: readonly string[], why: string): Rule => ({ id, category, names, look: () => block(why) });
