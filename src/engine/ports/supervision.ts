import type { ChildRequest } from '../../journal/effects/task-effect.ts';
import type { Blocker, DoneSight } from '../../journal/events/task.ts';
import type { BusMessage, NewBusMessage } from '../../journal/messages.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';

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

/** The folder of a task, as its supervisor sees it: what is there now, never followed through a link. */
export interface TaskFolder {
  done(): Promise<DoneSight>;
  /** What WAIT_WITHOUT_RESTART says, empty if nothing; null when it is not there. */
  waitMarker(): Promise<string | null>;
  /** Renames DONE to `DONE.refused-<number>`, and resolves with that name; null when there is no DONE. */
  refuseDone(number: number): Promise<string | null>;
  /** The tasks it depends on that are not done. */
  blockedBy(): Promise<readonly Blocker[]>;
}

/** Messages for people and agents, in the order in which they were written. Nothing on it decides anything, but that an agent wants to wait. */
export interface Bus {
  /** Where it lies, for people. */
  readonly path: string;
  /** Resolves with its id once it is on the bus, whole. Safe beside any number of other writers. */
  post(message: NewBusMessage): Promise<string>;
  /**
   * The last so many, oldest first. An entry that somebody is still writing, or never finished, is left out. With
   * `mostBytes` older ones are left out once the newer ones have that many, and the body of one that has more by itself.
   */
  last(count: number, mostBytes?: number): Promise<readonly BusMessage[]>;
  /** All after the one of that id; null when there is no such message (it may have been rotated away). */
  since(id: string): Promise<readonly BusMessage[] | null>;
  /** How much has been written after the one of that id; null when there is no such message. */
  bytesSince(id: string): Promise<number | null>;
}
