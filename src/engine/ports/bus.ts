import type { BusMessage, NewBusMessage } from '../../journal/bus-message.ts';

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
