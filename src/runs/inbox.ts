import { constants } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendEvent, Watcher } from '../engine/contracts.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { InboxMessage, type InstructionMessage, LONGEST_MESSAGE_BYTES, type OperatorAnswer } from '../journal/messages.ts';

const EVERY_MS = 500;

/**
 * Reads the run's inbox folder. Operators never write the journal: they leave a message, and the run's only writer records it. A message is
 * removed only when it is in the journal, so a crash in between repeats it. Any other file with the name of a message is removed unread.
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
      // Does not wait for a read in progress: nobody handles its messages any more, and they stay in the inbox.
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
      },
    };
  };
}

export function eventOfAnswer({ answer, story, by }: OperatorAnswer): Extract<EventBody, { type: 'question.answered' }> {
  return { type: 'question.answered', story, answer, by };
}

export function eventOfInstruction({ instruct, by }: InstructionMessage): Extract<EventBody, { type: 'operator.instructed' }> {
  return { type: 'operator.instructed', instruction: instruct, by };
}

/** Rejects when the message cannot be removed: it would be delivered again and again. */
async function take(path: string, tell: SendEvent): Promise<void> {
  const message = await readInboxMessage(path);
  if (message !== null && !(await tell(eventOf(message)))) return;
  await rm(path, { recursive: true, force: true });
}

function eventOf(message: InboxMessage): EventBody {
  if ('ask' in message) return { type: 'operator.asked', what: message.ask, by: message.by };
  return 'instruct' in message ? eventOfInstruction(message) : eventOfAnswer(message);
}

/** Names of messages in the order they were left; empty without an inbox. */
export async function namesInInbox(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).sort();
}

/** Null for a file that is not a valid message. */
export async function readInboxMessage(path: string): Promise<InboxMessage | null> {
  return InboxMessage.safeParse(await parsed(path)).data ?? null;
}

async function parsed(path: string): Promise<unknown> {
  try {
    return JSON.parse(await textOf(path));
  } catch {
    return null;
  }
}

/** Neither follows a link nor blocks on a pipe, even if the file is replaced by one between two calls. */
async function textOf(path: string): Promise<string> {
  if (!(await lstat(path)).isFile()) return '';
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_MESSAGE_BYTES + 1), 0, LONGEST_MESSAGE_BYTES + 1, 0);
  return bytesRead > LONGEST_MESSAGE_BYTES ? '' : buffer.toString('utf8', 0, bytesRead);
}
