import { join } from 'node:path';
import type { InboxMessage } from '../../journal/messages.ts';
import { instructionText } from '../../journal/words/instruction.ts';
import { namesInInbox, readInboxMessage } from '../../runs/inbox.ts';
import type { SentView } from '../view/page.ts';

/** What lies in the inbox of a run, and nobody has read yet. */
export async function sentTo(runFolder: string): Promise<readonly SentView[]> {
  const inbox = join(runFolder, 'inbox');
  const sent: SentView[] = [];
  for (const name of await namesInInbox(inbox)) {
    const message = await readInboxMessage(join(inbox, name));
    if (message !== null) sent.push({ at: Number.parseInt(name, 10) || 0, by: message.by, text: textOf(message) });
  }
  return sent;
}

function textOf(message: InboxMessage): string {
  if ('ask' in message) return message.ask;
  return 'instruct' in message ? instructionText(message.instruct) : `answer: ${message.answer}`;
}
