import type { Bus } from '../../engine/ports/bus.ts';
import type { BusMessage } from '../../journal/bus-message.ts';
import { rotate } from './archives.ts';
import { openBusWriter } from './bus-writer.ts';
import { entryBytes, type Posting } from './entry-text.ts';
import { followBus } from './follow-bus.ts';
import { newMessageId } from './message-id.ts';
import { bytesSince, lastMessages, messagesSince } from './read-messages.ts';

export interface FileBusOptions {
  /** Put the file aside when it has grown to so many bytes; 0 is never. */
  readonly rotateBytes?: number;
  /** Whether a post waits for the disk. */
  readonly fsync?: boolean;
  readonly nowMs?: () => number;
}

/** A bus in a file that people can read, and what only a file can do. */
export interface FileBus extends Bus, Disposable {
  post(posting: Posting): Promise<string>;
  /**
   * Tells every message after the one of that id, and each that comes, in their order, until the signal; null: from the first one of the
   * file on. Rotation and truncation do not stop it. False at once when there is no such id.
   */
  follow(fromId: string | null, onMessage: (message: BusMessage) => void, signal: AbortSignal): Promise<boolean>;
}

/** Opens nothing yet: a bus that nobody has posted on is empty, and its file is made by the first post. */
export function openFileBus(path: string, { rotateBytes = 0, fsync = false, nowMs = Date.now }: FileBusOptions = {}): FileBus {
  const writer = openBusWriter(path);
  let rotating: Promise<void> | null = null;

  async function rotateOnce(): Promise<void> {
    rotating ??= rotate(path, rotateBytes, nowMs()).finally(() => {
      rotating = null;
    });
    await rotating;
  }

  return {
    path,
    async post(posting) {
      const now = nowMs();
      const msg_id = newMessageId(now);
      writer.append(entryBytes(posting, { msg_id, ts: new Date(now).toISOString() }));
      if (fsync) await writer.sync();
      if (rotateBytes > 0 && writer.size() >= rotateBytes) await rotateOnce();
      return msg_id;
    },
    last: async (count, mostBytes) => lastMessages(path, count, mostBytes),
    since: async (id) => messagesSince(path, id),
    bytesSince: async (id) => bytesSince(path, id),
    follow: (fromId, onMessage, signal) => followBus(path, { fromId, onMessage }, signal),
    [Symbol.dispose]: () => writer[Symbol.dispose](),
  };
}
