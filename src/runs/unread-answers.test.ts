import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { emptyState } from '../journal/state/state.ts';
import { dropOldRequests, removeRecordedAnswers, unreadAnswersIn } from './unread-answers.ts';

async function openInbox(messages: Readonly<Record<string, object | string>> = {}) {
  const folder = await openThrowAwayFolder();
  const path = join(folder.path, 'inbox');
  await mkdir(path);
  for (const [name, message] of Object.entries(messages)) await writeFile(join(path, name), typeof message === 'string' ? message : JSON.stringify(message));
  return { path, beside: folder.path, names: async () => (await readdir(path)).sort(), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const first = { answer: 'REST', story: 'S-1', by: 'ann' };
const second = { answer: 'yes', by: 'ben' };
const heard = (body: EventBody) => [{ v: 1, seq: 1, at: 1, body }, emptyState] as const;

describe('the inbox of a resumed run', () => {
  it('drops old requests and keeps the answers, in order', async () => {
    await using inbox = await openInbox({ '3.json': second, '1.json': { ask: 'drain', by: 'ann' }, '2.json': first, '4.json': '{', 'note.txt': 'x' });
    await mkdir(join(inbox.path, 'folder', 'deeper'), { recursive: true });
    const left = await dropOldRequests(inbox.path);

    expect(left.map(({ event }) => event)).toEqual([
      { type: 'question.answered', story: 'S-1', answer: 'REST', by: 'ann' },
      { type: 'question.answered', story: null, answer: 'yes', by: 'ben' },
    ]);
    expect(await inbox.names()).toEqual(['2.json', '3.json']);
  });

  it('is created when it is missing', async () => {
    await using inbox = await openInbox();
    expect(await dropOldRequests(join(inbox.beside, 'run', 'inbox'))).toEqual([]);
    expect(existsSync(join(inbox.beside, 'run', 'inbox'))).toBe(true);
  });

  it('becomes a folder again when an agent has replaced it with a file or a link', async () => {
    await using inbox = await openInbox({ '1.json': first, 'precious.txt': 'x' });
    const [file, link] = [join(inbox.beside, 'file'), join(inbox.beside, 'link')];
    await writeFile(file, 'a file in its place');
    await symlink(inbox.path, link);
    for (const path of [file, link]) {
      expect(await dropOldRequests(path)).toEqual([]);
      expect(await readdir(path)).toEqual([]);
    }
    expect(await inbox.names(), 'what the link led to').toEqual(['1.json', 'precious.txt']);
  });

  it('ignores a link to an answer', async () => {
    await using inbox = await openInbox();
    await writeFile(join(inbox.beside, 'answer'), JSON.stringify(first));
    await symlink(join(inbox.beside, 'answer'), join(inbox.path, '1.json'));
    expect(await dropOldRequests(inbox.path)).toEqual([]);
    expect(await inbox.names()).toEqual([]);
  });
});

describe('an answer left for a stopped run', () => {
  it('is removed when it is in the journal, and not before', async () => {
    await using inbox = await openInbox({ '1.json': first, '2.json': second });
    const left = await unreadAnswersIn(inbox.path);
    const view = removeRecordedAnswers(left);

    view.onEvent(...heard({ type: 'effect.lost', key: 'x' }));
    expect(await inbox.names()).toEqual(['1.json', '2.json']);
    for (const { event } of left.slice(0, 1)) view.onEvent(...heard(event));
    expect(await inbox.names()).toEqual(['2.json']);
    for (const { event } of left) view.onEvent(...heard(event));
    expect(await inbox.names()).toEqual([]);
  });
});
