import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventBody } from '../journal/events/journal-event.ts';
import type { InboxMessage, OperatorAnswer } from '../journal/inbox-message.ts';
import type { Tell, Watcher } from '../engine/watcher.ts';
import { namesInInbox, readInboxMessage } from './read-inbox-message.ts';

const EVERY_MS = 500;

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
      for (const name of await namesInInbox(folder)) if (!stuck.has(name)) await take(join(folder, name), tell).catch(() => stuck.add(name));
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

export function eventOfAnswer({ answer, story, by }: OperatorAnswer): Extract<EventBody, { type: 'question.answered' }> {
  return { type: 'question.answered', story, answer, by };
}

/** Rejects when it cannot be taken away: it would be told again and again. */
async function take(path: string, tell: Tell): Promise<void> {
  const message = await readInboxMessage(path);
  if (message !== null && !(await tell(eventOf(message)))) return;
  await rm(path, { recursive: true, force: true });
}

function eventOf(message: InboxMessage): EventBody {
  return 'ask' in message ? { type: 'operator.asked', what: message.ask, by: message.by } : eventOfAnswer(message);
}
