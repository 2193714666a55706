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
  /** Tests that node or python run directly. */
  readonly bare: Set<string>;
  /** Files that the gate compares with a program's output, and the input of such a program. */
  readonly measures: Set<string>;
  /** Those that it compares character by character. */
  readonly compared: Set<string>;
  /** Files that the commands of the gate write. */
  readonly written: Set<string>;
  /** Globs relative to the top: what loops pass to a runner, what they compare, and what make builds. */
  readonly globs: { readonly run: Set<string>; readonly measured: Set<string>; readonly made: Set<string> };
  /** Folders that are searched for programs before the usual ones. */
  readonly onPath: Set<string>;
  /** The shell functions found so far, by name. */
  readonly functions: Map<string, string>;
  /** Commands and scripts that were already followed: they may call each other in a cycle. */
  readonly seen: Set<string>;
  /** Whether an unknown program is started. */
  hasUnknown: boolean;
  /** Whether a variable makes a runner run only what has changed. */
  choosesTests: boolean;
  budget: number;
}

/** The folder in which a command runs, and how many scripts are between it and the gate. */
export interface Place {
  readonly cwd: string;
  readonly depth: number;
}

/** Follows one command line to its end. Passed to the parsers of scripts, so that they need not know each other. */
export type Follow = (line: string, place: Place) => Promise<void>;

/** A gate starts a script, that script another, and that one the runner. More is rare, and a cycle has no end. */
export const DEEPEST = 3;
