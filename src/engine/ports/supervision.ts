import type { ChildRequest } from '../../journal/effects/task-effect.ts';
import type { Blocker, DoneFileState } from '../../journal/events/task.ts';
import type { BusMessage, NewBusMessage } from '../../journal/messages.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';

/** The child runs of this run. Each has its own process and journal; both are read to find out how it is. */
export interface Children {
  /** The ids of the running children, from the process table. */
  active(): Promise<readonly string[]>;
  /** Starts a child. Resolves once it has registered, or with the reason why it did not. */
  start(child: ChildRequest, signal: AbortSignal): Promise<StartedChild>;
  /** The process of a registered child; null when it never registered. */
  find(run: string): Promise<ProcessIdentity | null>;
  /** Asks the running ones of these to stop. Those that do not stop are killed with everything they started. */
  end(runs: readonly string[]): Promise<EndedChildren>;
}

/** `left`: the runs that are still alive. */
export interface EndedChildren {
  readonly ended: readonly string[];
  readonly left: readonly string[];
}

export type StartedChild = { readonly kind: 'started'; readonly identity: ProcessIdentity } | { readonly kind: 'refused'; readonly why: string };

/** The task folder as its supervisor sees it. Links are never followed. */
export interface TaskFolder {
  done(): Promise<DoneFileState>;
  /** The text of WAIT_WITHOUT_RESTART, which may be empty; null when the file does not exist. */
  waitMarker(): Promise<string | null>;
  /** Renames DONE to `DONE.refused-<number>` and resolves with that name; null when there is no DONE. */
  refuseDone(number: number): Promise<string | null>;
  /** The tasks it depends on that are not done. */
  blockedBy(): Promise<readonly Blocker[]>;
}

/** Messages for people and agents, in the order in which they were written. No message decides anything, except that an agent can ask to wait. */
export interface Bus {
  /** The path of the file, for people. */
  readonly path: string;
  /** Resolves with the message's id once all of it is on the bus. Any number of writers may post at the same time. */
  post(message: NewBusMessage): Promise<string>;
  /**
   * The last `count` messages, oldest first. Unfinished entries are left out. With `mostBytes`, older messages are left out once the newer ones have that many
   * bytes, and so is a body that is larger by itself.
   */
  last(count: number, mostBytes?: number): Promise<readonly BusMessage[]>;
  /** All messages after the one with that id; null when it does not exist (it may have been rotated away). */
  since(id: string): Promise<readonly BusMessage[] | null>;
  /** How many bytes were written after the message with that id; null when it does not exist. */
  bytesSince(id: string): Promise<number | null>;
}
