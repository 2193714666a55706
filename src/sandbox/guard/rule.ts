import type { GuardLists } from '../../settings/schema/sandbox-spec.ts';
import type { Step } from './step.ts';

export interface Objection {
  readonly level: 'warn' | 'block';
  readonly why: string;
}

/** One kind of command that the guard objects to. */
export interface Rule {
  readonly id: string;
  readonly category: CategoryNumber;
  /** The commands that the rule checks; null: all. */
  readonly names: readonly string[] | null;
  readonly look: (step: Step, place: GuardPlace) => Objection | null;
}

export const block = (why: string): Objection => ({ level: 'block', why });
export const warn = (why: string): Objection => ({ level: 'warn', why });

/** A rule for commands that an agent must never run, whatever their arguments. */
export const never = (id: string, category: CategoryNumber, names: readonly string[], why: string): Rule => ({ id, category, names, look: () => block(why) });

/** The guard's categories, in the order of seed 003. */
export const CATEGORIES = {
  0: "the operator's own list",
  1: 'destructive file operations',
  2: 'disks and boot',
  3: 'resource exhaustion',
  4: 'exfiltration',
  5: 'remote access',
  6: 'secrets',
  7: 'privilege escalation',
  8: 'container escape',
  9: 'supply chain',
  10: 'destructive git',
  11: 'system configuration',
  12: 'obfuscated execution',
  13: 'environment hijack',
  14: 'processes and system',
  15: 'persistence',
  16: 'databases',
  17: 'cloud resources',
  18: 'sensitive paths',
} as const;

export type CategoryNumber = keyof typeof CATEGORIES;

export type GuardLevel = 'allow' | 'warn' | 'block';

/** An objection of the guard to one simple command. */
export interface GuardFinding {
  readonly level: 'warn' | 'block';
  readonly category: CategoryNumber;
  /** The category's text. */
  readonly name: string;
  readonly rule: string;
  /** One sentence that also says what to do instead. */
  readonly why: string;
  /** The simple command it was found in. */
  readonly part: string;
}

export interface Verdict {
  readonly level: GuardLevel;
  readonly findings: readonly GuardFinding[];
}

/** Where a command is about to run, and the settings that apply there. */
export interface GuardPlace {
  readonly lists: GuardLists;
  readonly cwd: string;
  readonly home: string | null;
  /** The absolute path of the project. */
  readonly root: string;
  /** Returns the text of a script that is about to run; null when it does not exist, is not text or is too long. */
  readonly scripts?: (path: string) => string | null;
}

/** The worst finding decides. */
export function verdictOf(findings: readonly GuardFinding[]): Verdict {
  const level = findings.some((each) => each.level === 'block') ? 'block' : findings.length > 0 ? 'warn' : 'allow';
  return { level, findings };
}
