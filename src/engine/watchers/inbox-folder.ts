import { constants } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InboxMessage } from '../../model/inbox-message.ts';
import type { Tell, Watcher } from '../watcher.ts';

const EVERY_MS = 500;

/** A message is one line; what is longer is none. */
const LARGEST_BYTES = 64 * 1024;

/**
 * Reads the run's inbox folder: operators never write the journal, they leave a message and the one writer records it. A message is taken
 * away only when it is in the journal, so a crash in between repeats it; whatever else is called like one is taken away unread.
 */
export function watchInbox(folder: string): Watcher {
  return (tell) => {
    const stuck = new Set<string>();
    let looking = false;
    const look = async () => {
      if (looking) return;
      looking = true;
      for (const name of await messagesIn(folder)) if (!stuck.has(name)) await take(join(folder, name), tell).catch(() => stuck.add(name));
      looking = false;
    };
    const timer = setInterval(() => void look(), EVERY_MS);
    return {
      // A look that is under way is not waited for: nobody reads its letters any more, and its messages stay.
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
      },
    };
  };
}

async function messagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).sort();
}

/** Rejects when it cannot be taken away: it would be told again and again. */
async function take(path: string, tell: Tell): Promise<void> {
  const message = InboxMessage.safeParse(await parsed(path));
  if (message.success && !(await tell({ type: 'operator.asked', what: message.data.ask, by: message.data.by }))) return;
  await rm(path, { recursive: true, force: true });
}

async function parsed(path: string): Promise<unknown> {
  try {
    return JSON.parse(await textOf(path));
  } catch {
    return null;
  }
}

/** Neither follows a link nor waits for a pipe, also if the file becomes one between two calls. */
async function textOf(path: string): Promise<string> {
  if (!(await lstat(path)).isFile()) return '';
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LARGEST_BYTES + 1), 0, LARGEST_BYTES + 1, 0);
  return bytesRead > LARGEST_BYTES ? '' : buffer.toString('utf8', 0, bytesRead);
}
