import type { GuardLists } from '../../settings/schema/wall.ts';
import type { CategoryNumber } from './categories.ts';

export type GuardLevel = 'allow' | 'warn' | 'block';

/** What the guard has against one simple command. */
export interface GuardFinding {
  readonly level: 'warn' | 'block';
  readonly category: CategoryNumber;
  /** The category's words. */
  readonly name: string;
  readonly rule: string;
  /** One sentence, with what to do instead. */
  readonly why: string;
  /** The simple command it was found in. */
  readonly part: string;
}

export interface Verdict {
  readonly level: GuardLevel;
  readonly findings: readonly GuardFinding[];
}

/** Where a command is about to run. */
export interface GuardPlace {
  readonly lists: GuardLists;
  readonly cwd: string;
  readonly home: string | null;
  /** The project, absolute. */
  readonly root: string;
  /** The text of a script that is about to be run; null: there is none, or it is no text, or too long. */
  readonly scripts?: (path: string) => string | null;
}

/** The worst of them decides. */
export function verdictOf(findings: readonly GuardFinding[]): Verdict {
  const level = findings.some((each) => each.level === 'block') ? 'block' : findings.length > 0 ? 'warn' : 'allow';
  return { level, findings };
}
