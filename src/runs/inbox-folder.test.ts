import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import type { SendEvent } from '../engine/contracts.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { emptyState } from '../journal/state/state.ts';
import { watchInbox } from './inbox.ts';

const drain = JSON.stringify({ ask: 'drain', by: 'ann' });

async function openInbox() {
  const folder = await openThrowAwayFolder();
  const inbox = join(folder.path, 'inbox');
  await mkdir(inbox);
  const told: EventBody[] = [];
  return {
    path: inbox,
    beside: folder.path,
    told,
    watch: (answer: SendEvent = async () => true) =>
      watchInbox(inbox)(
        (event) => {
          told.push(event);
          return answer(event);
        },
        () => emptyState,
      ),
    isEmpty: async () => (await readdir(inbox)).length === 0,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the inbox of a run', () => {
  it("delivers the operators' requests in order and removes the messages", async () => {
    await using inbox = await openInbox();
    await writeFile(join(inbox.path, '1.json'), drain);
    await writeFile(join(inbox.path, '2.json'), '{"ask": "everything"');
    await writeFile(join(inbox.path, '3.json'), JSON.stringify({ ask: 'pause', by: 'cat' }));
    await writeFile(join(inbox.path, '4.json'), JSON.stringify({ ask: 'go-on', by: 'cat' }));
    await writeFile(join(inbox.path, '5.json'), JSON.stringify({ ask: 'abort', by: 'ben' }));
    await using _watching = inbox.watch();

    await until('all messages are read', inbox.isEmpty);
    expect(inbox.told).toEqual([
      { type: 'operator.asked', what: 'drain', by: 'ann' },
      { type: 'operator.asked', what: 'pause', by: 'cat' },
      { type: 'operator.asked', what: 'go-on', by: 'cat' },
      { type: 'operator.asked', what: 'abort', by: 'ben' },
    ]);
  });

  it("delivers people's answers, about a story or about the newest question", async () => {
    await using inbox = await openInbox();
    const messages = [
      { answer: 'Use REST.', story: 'S-2', by: 'ann' },
      { answer: 'a\n"b" 🙂', by: 'ben' },
      { answer: 'of none', story: null, by: 'cat' },
      { answer: '', by: 'nobody' },
      { answer: 'and a wish', ask: 'drain', by: 'both' },
      { answer: 'a'.repeat(70_000), by: 'endless' },
    ];
    for (const [index, message] of messages.entries()) await writeFile(join(inbox.path, `${index}.json`), JSON.stringify(message));
    await using _watching = inbox.watch();

    await until('all messages are read', inbox.isEmpty);
    expect(inbox.told).toEqual([
      { type: 'question.answered', story: 'S-2', answer: 'Use REST.', by: 'ann' },
      { type: 'question.answered', story: null, answer: 'a\n"b" 🙂', by: 'ben' },
      { type: 'question.answered', story: null, answer: 'of none', by: 'cat' },
    ]);
  });

  it('survives an agent that removes the inbox', async () => {
    await using folder = await openThrowAwayFolder();
    const told: EventBody[] = [];
    const watching = watchInbox(join(folder.path, 'gone'))(
      async (event) => told.push(event) > 0,
      () => emptyState,
    );
    await watching[Symbol.asyncDispose]();
    expect(told).toEqual([]);
  });

  it.each<[string, (path: string, beside: string) => unknown]>([
    ['a folder', (path) => mkdir(join(path, 'deeper'), { recursive: true })],
    ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
    ['a link to a message', (path, beside) => symlink(join(beside, 'message'), path)],
    ['a link to nothing', (path) => symlink('nowhere', path)],
    ['more than a message can be', (path) => writeFile(path, `${drain}${' '.repeat(64 * 1024)}`)],
  ])('removes %s without reading it, and reads on', async (_name, make) => {
    await using inbox = await openInbox();
    await writeFile(join(inbox.beside, 'message'), JSON.stringify({ ask: 'abort', by: 'link' }));
    await make(join(inbox.path, '1.json'), inbox.beside);
    await writeFile(join(inbox.path, '2.json'), drain);
    await using _watching = inbox.watch();

    await until('all is taken away', inbox.isEmpty);
    expect(inbox.told).toEqual([{ type: 'operator.asked', what: 'drain', by: 'ann' }]);
    expect(await readFile(join(inbox.beside, 'message'), 'utf8')).toContain('link');
  });

  it('keeps a message until it is in the journal, and delivers it only once', async () => {
    await using inbox = await openInbox();
    const message = join(inbox.path, '1.json');
    await writeFile(message, drain);
    const written: (() => void)[] = [];
    await using _watching = inbox.watch(() => new Promise((resolve) => written.push(() => resolve(true))));

    await until('it is told', () => inbox.told.length === 1);
    expect(existsSync(message)).toBe(true);
    for (const write of written) write();
    await until('it is taken away', inbox.isEmpty);
    expect(inbox.told).toHaveLength(1);
  });

  it('keeps a message that came too late, and does not wait for its answer when it is closed', async () => {
    await using inbox = await openInbox();
    await writeFile(join(inbox.path, '1.json'), drain);
    let answer: (written: boolean) => void = () => undefined;
    const watching = inbox.watch(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await until('it is told', () => inbox.told.length === 1);
    await watching[Symbol.asyncDispose]();
    answer(false);
    await new Promise(setImmediate);
    expect(await inbox.isEmpty()).toBe(false);
  });
});
