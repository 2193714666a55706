import type { Script } from 'unbash';
import type { GuardPlace } from '../rule.ts';
import type { Step } from '../step.ts';
import type { Scope } from './scope.ts';
import type { Stream } from './stream.ts';

/** Why a line could not be judged to its end. */
export type Trouble = 'unreadable' | 'too-deep' | 'too-much';

/** The context of a command during the walk. */
export interface Around {
  readonly scope: Scope;
  readonly input: Stream | null;
  readonly isDetached: boolean;
  readonly isPiped: boolean;
  /** Inside a loop that runs forever. */
  readonly isEndless: boolean;
  /** The words of the command that reads its output, as they are written; empty when there is none. */
  readonly into: readonly string[];
  readonly isInFile: boolean;
  /** On another machine, or in a container. */
  readonly isElsewhere: boolean;
  /** How many texts and substitutions it is nested in. */
  readonly depth: number;
  /** The functions and the script paths that are being called. */
  readonly calling: readonly string[];
}

/** The walk through one line: its findings and its parts. The parts call each other only through this interface. */
export interface Shell {
  readonly place: GuardPlace;
  readonly steps: Step[];
  readonly troubles: Set<Trouble>;
  /** How many commands and words may still be checked. */
  budget: number;
  /** Walks the text of a script, and returns what it prints. */
  readonly runText: (text: string, around: Around) => Stream;
  readonly runScript: (script: Script, around: Around) => Stream;
  /** Walks a command whose words are already resolved. */
  readonly runWords: (words: readonly string[], around: Around, extras?: Extras) => Stream;
}

/** What a command has besides its words. */
export interface Extras {
  readonly assigned: Step['assigned'];
  readonly redirects: Step['redirects'];
  readonly printers: Step['printers'];
}

export const NO_EXTRAS: Extras = { assigned: [], redirects: [], printers: [] };

/** Ignores syntax errors in the text: it may not be shell code at all. */
export function runLoosely(shell: Shell, text: string, around: Around): void {
  const before = [...shell.troubles];
  shell.runText(text, around);
  shell.troubles.clear();
  for (const each of before) shell.troubles.add(each);
}

/** Limits the nesting: every level costs time, and no honest line is nested that deep. */
const DEEPEST = 20;

/** The context one level deeper; null when that is too deep. */
export function deeper(shell: Shell, around: Around): Around | null {
  if (around.depth < DEEPEST) return { ...around, depth: around.depth + 1 };
  shell.troubles.add('too-deep');
  return null;
}

/** Returns false when the budget is used up. */
export function spend(shell: Shell, amount = 1): boolean {
  shell.budget -= amount;
  if (shell.budget >= 0) return true;
  shell.troubles.add('too-much');
  return false;
}
