import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InboxMessage } from '../../model/inbox-message.ts';
import type { Watcher } from '../watcher.ts';

const EVERY_MS = 500;

/** Reads the run's inbox folder: operators never write the journal, they leave a message and the one writer records it. */
export function watchInbox(folder: string): Watcher {
  return (tell) => {
    let reading: Promise<void> = Promise.resolve();
    const look = async () => {
      for (const name of (await readdir(folder).catch(() => [])).filter((entry) => entry.endsWith('.json')).sort()) {
        const path = join(folder, name);
        const message = InboxMessage.safeParse(await parsed(path));
        await rm(path, { force: true });
        if (message.success) tell({ type: 'operator.asked', what: message.data.ask, by: message.data.by });
      }
    };
    const timer = setInterval(() => {
      reading = reading.then(look, look);
    }, EVERY_MS);
    return {
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
        await reading;
      },
    };
  };
}

async function parsed(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}
