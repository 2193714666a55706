import type { GuardLists } from '../../settings/schema/sandbox-spec.ts';
import type { Step } from './step.ts';

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

/** What the guard looks for, in the order of seed 003. */
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
