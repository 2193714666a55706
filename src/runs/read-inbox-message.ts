import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { InboxMessage, LONGEST_MESSAGE_BYTES } from '../journal/inbox-message.ts';

/** Names of messages in the order they were left; none where there is no inbox. */
export async function namesInInbox(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).sort();
}

/** Null for whatever else is called like one. */
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

/** Neither follows a link nor waits for a pipe, also if the file becomes one between two calls. */
async function textOf(path: string): Promise<string> {
  if (!(await lstat(path)).isFile()) return '';
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_MESSAGE_BYTES + 1), 0, LONGEST_MESSAGE_BYTES + 1, 0);
  return bytesRead > LONGEST_MESSAGE_BYTES ? '' : buffer.toString('utf8', 0, bytesRead);
}
