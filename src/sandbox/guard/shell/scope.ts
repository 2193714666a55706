import type { Function as ShellFunction } from 'unbash';
import type { Stream } from './stream.ts';

/** A variable: a text, or the elements of a list. */
export type Value = string | readonly string[];

/** What is known while a line is walked through: a subshell sees what is around it and keeps its own to itself. */
export interface Scope {
  readonly around: Scope | null;
  readonly variables: Map<string, Value>;
  readonly functions: Map<string, ShellFunction['body']>;
  readonly aliases: Map<string, string>;
  /** What this line has written, by absolute path. */
  readonly files: Map<string, Stream>;
  /** Links this line has made: the path of each, and what it leads to. */
  readonly links: Map<string, string>;
  /** Of the function or script that is called, or as `set` has set them; null: nobody knows. */
  args: readonly string[] | null;
  /** Absolute, or with a hole where it is not known. */
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

/** A function changes what is around it; only its arguments are its own. */
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

/** The nearest of that name. */
export function lookUp<K extends Named>(scope: Scope, kind: K, name: string): (Scope[K] extends Map<string, infer V> ? V : never) | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.around) {
    const found = at[kind].get(name);
    if (found !== undefined) return found as Scope[K] extends Map<string, infer V> ? V : never;
  }
  return undefined;
}
