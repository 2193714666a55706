import type { ProcessIdentity } from '../../process/process-ending.ts';
import type { ChildRequest } from '../../journal/effects/task-effect.ts';

/** Runs that came from this one. Each is a process and a journal of its own; what is known of them is read from both. */
export interface Children {
  /** The ids of those at work now, told from the process table. */
  active(): Promise<readonly string[]>;
  /** Starts one, and resolves once it has registered, or with why it never did. */
  start(child: ChildRequest, signal: AbortSignal): Promise<StartedChild>;
  /** The process of a child that has registered; null when it never did. */
  find(run: string): Promise<ProcessIdentity | null>;
  /** Asks those of them to stop that are at work, wherever that is, and ends those that do not, with all they started. */
  end(runs: readonly string[]): Promise<EndedChildren>;
}

/** `left`: what lives all the same. */
export interface EndedChildren {
  readonly ended: readonly string[];
  readonly left: readonly string[];
}

export type StartedChild = { readonly kind: 'started'; readonly identity: ProcessIdentity } | { readonly kind: 'refused'; readonly why: string };
