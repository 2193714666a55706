import type { Function as ShellFunction } from 'unbash';
import type { Stream } from './stream.ts';

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
