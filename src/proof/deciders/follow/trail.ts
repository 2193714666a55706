import type { Index, Repository } from '../repository.ts';
import type { Tool } from '../tools/tool.ts';

/** One start of a tool that a gate leads to. */
export interface Start {
  readonly tool: Tool;
  readonly cwd: string;
  readonly rest: readonly string[];
}

/** What was found on the way from a gate's command to what it runs. */
export interface Trail {
  readonly repository: Repository;
  readonly index: Index;
  readonly starts: Start[];
  /** Scripts and configuration that are called by their path. */
  readonly named: Map<string, 'configuration' | 'test'>;
  /** Tests that node or python run as they are. */
  readonly bare: Set<string>;
  /** Files whose text the gate compares with what a program prints, and the input of such a program. */
  readonly measures: Set<string>;
  /** Those of them that it compares letter by letter. */
  readonly compared: Set<string>;
  /** Files that the commands of the gate write themselves. */
  readonly written: Set<string>;
  /** Globs, as seen from the top: what loops hand to a runner, what they compare, and what make makes. */
  readonly globs: { readonly run: Set<string>; readonly measured: Set<string>; readonly made: Set<string> };
  /** Folders where programs are looked for before the usual ones. */
  readonly onPath: Set<string>;
  /** The shell functions that were met so far, by their names. */
  readonly functions: Map<string, string>;
  /** Commands and scripts that were followed already: they may call each other in a circle. */
  readonly seen: Set<string>;
  /** A program was started that nobody knows. */
  hasUnknown: boolean;
  budget: number;
}

/** A command, where it runs, and how many scripts lie between it and the gate. */
export interface Place {
  readonly cwd: string;
  readonly depth: number;
}

/** Follows one command line to its end. Given to those who find one in a script, so that they need not know each other. */
export type Follow = (line: string, place: Place) => Promise<void>;

/** A gate starts a script, that one another, and that one the runner; more is rare, and a circle has no end. */
export const DEEPEST = 3;
