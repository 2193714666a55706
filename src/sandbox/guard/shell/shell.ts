import type { Script, Function as ShellFunction } from 'unbash';
import type { GuardPlace } from '../rule.ts';
import type { Step, Stream } from '../step.ts';

/** Why a line could not be judged to its end. */
export type Trouble = 'unreadable' | 'too-deep' | 'too-much';

/** The context of a command during the walk. */
export interface Around extends Pick<Step, 'input' | 'isDetached' | 'isPiped' | 'isEndless' | 'into' | 'isInFile' | 'isElsewhere'> {
  readonly scope: Scope;
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

/** The value of a variable: a text, or the elements of an array. */
export type Value = string | readonly string[];

/** What is known at a point of the walk. A subshell sees the scope around it but does not change it. */
export interface Scope {
  readonly around: Scope | null;
  readonly variables: Map<string, Value>;
  readonly functions: Map<string, ShellFunction['body']>;
  readonly aliases: Map<string, string>;
  /** Files that this line has written, by absolute path. */
  readonly files: Map<string, Stream>;
  /** Links that this line has created, with their targets. */
  readonly links: Map<string, string>;
  /** The arguments of the current function or script, or those given to `set`; null: unknown. */
  args: readonly string[] | null;
  /** Absolute, or with a hole when it is unknown. */
  cwd: string;
}

export function openScope(cwd: string, variables: Readonly<Record<string, string>>): Scope {
  return {
    around: null,
    variables: new Map(Object.entries(variables)),
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    links: new Map(),
    args: null,
    cwd,
  };
}

export function innerScope(around: Scope, args: readonly string[] | null = around.args): Scope {
  return { around, variables: new Map(), functions: new Map(), aliases: new Map(), files: around.files, links: around.links, args, cwd: around.cwd };
}

/** A function changes the scope around it; only its arguments are its own. */
export const callScope = (around: Scope, args: readonly string[]): Scope => ({
  ...around,
  args,
  get cwd() {
    return around.cwd;
  },
  set cwd(path) {
    around.cwd = path;
  },
});

type Named = 'variables' | 'functions' | 'aliases';

/** Looks up a name in the nearest scope that has it. */
export function lookUp<K extends Named>(scope: Scope, kind: K, name: string): (Scope[K] extends Map<string, infer V> ? V : never) | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.around) {
    const found = at[kind].get(name);
    if (found !== undefined) return found as Scope[K] extends Map<string, infer V> ? V : never;
  }
  return undefined;
}
