import { rmSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Projection } from '../engine/contracts.ts';
import { eventOfAnswer, eventOfInstruction, namesInInbox, readInboxMessage } from './inbox.ts';

/** What a person has said that stays valid until the run has read it. */
type Said = ReturnType<typeof eventOfAnswer> | ReturnType<typeof eventOfInstruction>;

export interface UnreadAnswer {
  readonly path: string;
  readonly event: Said;
}

/** Unread answers and instructions in the inbox of a run, in the order they were given. */
export async function unreadAnswersIn(inbox: string): Promise<readonly UnreadAnswer[]> {
  const left: UnreadAnswer[] = [];
  for (const name of await namesInInbox(inbox)) {
    const path = join(inbox, name);
    const message = await readInboxMessage(path);
    if (message === null || 'ask' in message) continue;
    left.push({ path, event: 'instruct' in message ? eventOfInstruction(message) : eventOfAnswer(message) });
  }
  return left;
}

/**
 * Empties the inbox of a run that is resumed, except for answers and instructions. Whoever resumes a run wants it to continue, so earlier requests such as pause or drain are dropped, recorded or not.
 * They stay: the loop must read them before it could stop to ask the same question again.
 */
export async function dropOldRequests(inbox: string): Promise<readonly UnreadAnswer[]> {
  const isFolder = (await lstat(inbox).catch(() => null))?.isDirectory() ?? false;
  const left = isFolder ? await unreadAnswersIn(inbox) : [];
  const kept = new Set(left.map(({ path }) => path));
  const inside = isFolder ? (await readdir(inbox)).map((name) => join(inbox, name)) : [inbox];
  for (const path of inside) if (!kept.has(path)) await rm(path, { recursive: true, force: true });
  await mkdir(inbox, { recursive: true, mode: 0o700 });
  return left;
}

/** Removes them in the order in which the journal records them, so that a crash before that loses none. */
export function removeRecordedAnswers(left: readonly UnreadAnswer[]): Projection {
  const waiting = [...left];
  return {
    onEvent({ body }) {
      if (body.type !== 'question.answered' && body.type !== 'operator.instructed') return;
      const heard = waiting.shift();
      if (heard !== undefined) rmSync(heard.path, { force: true });
    },
  };
}
