import type { Script } from 'unbash';
import type { GuardPlace } from '../rule.ts';
import type { Step } from '../step.ts';
import type { Scope } from './scope.ts';
import type { Stream } from './stream.ts';

/** Why a line cannot be judged to its end. */
export type Trouble = 'unreadable' | 'too-deep' | 'too-much';

/** Around a command while the line is walked through. */
export interface Around {
  readonly scope: Scope;
  readonly input: Stream | null;
  readonly isDetached: boolean;
  readonly isPiped: boolean;
  /** In a loop that goes on for ever. */
  readonly isEndless: boolean;
  /** The words of the command its output goes to, as they are written; empty: none. */
  readonly into: readonly string[];
  readonly isInFile: boolean;
  /** On another machine, or in a container. */
  readonly isElsewhere: boolean;
  /** How many texts and substitutions it lies in. */
  readonly depth: number;
  /** The functions, and the paths of the scripts, that are being called. */
  readonly calling: readonly string[];
}

/** The walk through one line: what it finds, and what it is made of. Each part knows the others only by this. */
export interface Shell {
  readonly place: GuardPlace;
  readonly steps: Step[];
  readonly troubles: Set<Trouble>;
  /** How many commands and words may still be looked at. */
  budget: number;
  /** Runs the text of a script, and says what it prints. */
  readonly runText: (text: string, around: Around) => Stream;
  readonly runScript: (script: Script, around: Around) => Stream;
  /** Runs a command that is resolved already. */
  readonly runWords: (words: readonly string[], around: Around, extras?: Extras) => Stream;
}

/** What a command has beside its words. */
export interface Extras {
  readonly assigned: Step['assigned'];
  readonly redirects: Step['redirects'];
  readonly printers: Step['printers'];
}

export const NO_EXTRAS: Extras = { assigned: [], redirects: [], printers: [] };

/** What cannot be read in it is nobody's business: it may be no shell text at all. */
export function runLoosely(shell: Shell, text: string, around: Around): void {
  const before = [...shell.troubles];
  shell.runText(text, around);
  shell.troubles.clear();
  for (const each of before) shell.troubles.add(each);
}

/** Nobody nests that deep for a good reason, and every level costs time. */
const DEEPEST = 20;

/** One level further in; null: it is too deep. */
export function deeper(shell: Shell, around: Around): Around | null {
  if (around.depth < DEEPEST) return { ...around, depth: around.depth + 1 };
  shell.troubles.add('too-deep');
  return null;
}

/** False: there was enough of it. */
export function spend(shell: Shell, amount = 1): boolean {
  shell.budget -= amount;
  if (shell.budget >= 0) return true;
  shell.troubles.add('too-much');
  return false;
}
