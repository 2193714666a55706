import { readdirSync } from 'node:fs';
import { mkdir, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/support/cpu-ms.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import { followJournalFile, openFileJournal, readJournalFile } from './journal-file.ts';

let folder: ThrowAwayFolder;
let path = '';
let count = 0;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
beforeEach(() => {
  count += 1;
  path = join(folder.path, `${count}.jsonl`);
});
afterAll(() => folder[Symbol.asyncDispose]());

const event = (seq: number): JournalEvent => ({ v: 1, seq, at: 1_000 * seq, body: { type: 'effect.lost', key: `agent:${seq}.1 ü` } });
const line = (seq: number, more: object = {}) => JSON.stringify({ v: 1, seq, at: 1_000 * seq, type: 'effect.lost', key: `agent:${seq}.1 ü`, ...more });
const file = (...lines: readonly string[]) => lines.map((one) => `${one}\n`).join('');

async function pastOf(content: string | Buffer): Promise<readonly JournalEvent[]> {
  await writeFile(path, content);
  const journal = await openFileJournal(path);
  await journal.close();
  return journal.past;
}

describe('a journal that is followed', () => {
  it.each([1, 30, 1_000])('is read in pieces of about %s bytes, each event once, and on from there when more is written', async (mostBytes) => {
    await writeFile(path, `${file(line(1), line(2), line(3))}${line(4).slice(0, 9)}`);
    const followed = followJournalFile(path);
    const read = async () => {
      const seqs: number[] = [];
      for (let events = await followed.more(mostBytes); events.length > 0; events = await followed.more(mostBytes)) seqs.push(...events.map(({ seq }) => seq));
      return seqs;
    };
    expect(await read()).toEqual([1, 2, 3]);
    await writeFile(path, file(line(1), line(2), line(3), line(4)));
    expect(await read()).toEqual([4]);
    expect(await read()).toEqual([]);
  });
});

describe('a journal after a crash', () => {
  const torn: readonly (readonly [string, Buffer])[] = [
    ['half a line', Buffer.from(line(3).slice(0, 20))],
    ['a line without its newline', Buffer.from(line(3))],
    ['half a character', Buffer.from(line(3)).subarray(0, Buffer.from(line(3)).indexOf('ü') + 1)],
    ['zeros, from a disk that was not flushed', Buffer.alloc(4096)],
    ['half a line and then zeros', Buffer.concat([Buffer.from(line(3).slice(0, 20)), Buffer.alloc(100)])],
  ];

  it.each(torn)('loses a torn last line before the next append: %s', async (_what, rest) => {
    await writeFile(path, Buffer.concat([Buffer.from(file(line(1), line(2))), rest]));
    const journal = await openFileJournal(path);
    expect(journal.past).toEqual([event(1), event(2)]);
    await journal.append(event(3), true);
    await journal.close();
    expect(await readFile(path, 'utf8')).toMatch(file(line(1), line(2)) + line(3).slice(0, -1));
    expect(await readJournalFile(path)).toEqual([event(1), event(2), event(3)]);
  });

  it.each(torn)('is read without a torn last line, and reading does not change the file: %s', async (_what, rest) => {
    const content = Buffer.concat([Buffer.from(file(line(1), line(2))), rest]);
    await writeFile(path, content);
    expect(await readJournalFile(path)).toEqual([event(1), event(2)]);
    expect(await readFile(path)).toEqual(content);
  });

  it('is empty if the file is empty', async () => {
    expect(await pastOf('')).toEqual([]);
  });

  it('is empty if the file has no complete line', async () => {
    expect(await pastOf(line(1).slice(0, 10))).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe('');
  });
});

describe('a journal that somebody else has changed', () => {
  it('may have CRLF line ends and can be continued', async () => {
    await writeFile(path, `${line(1)}\r\n${line(2)}\r\n`);
    const journal = await openFileJournal(path);
    await journal.append(event(3), false);
    await journal.close();
    expect(await readJournalFile(path)).toEqual([event(1), event(2), event(3)]);
  });

  it.each([
    ['a newer journal', [line(1), line(2, { v: 2 })], 'line 2: written by a newer ralph (journal version 2, this one reads 1); update ralph.'],
    [
      'an unknown event',
      [line(1, { type: 'moon.seen' })],
      'line 1: this ralph does not know the event "moon.seen" in this form; another version of ralph wrote it.',
    ],
    ['a known event in another form', [line(1), line(2, { phase: 'full' })], 'line 2: this ralph does not know the event "effect.lost" in this form;'],
    ['a known event without a required field', [line(1, { key: undefined })], 'line 1: this ralph does not know the event "effect.lost" in this form;'],
    ['a gap', [line(1), line(3)], 'line 2: event 3 stands where event 2 belongs; the file was edited or is incomplete.'],
    ['no first line', [line(2), line(3)], 'line 1: event 2 stands where event 1 belongs;'],
    ['a line twice', [line(1), line(2), line(2)], 'line 3: event 2 stands where event 3 belongs;'],
    ['swapped lines', [line(2), line(1)], 'line 1: event 2 stands where event 1 belongs;'],
    ['an edited line', [line(1), line(2).replace('"key"', '"kee"')], 'line 2: this ralph does not know the event "effect.lost" in this form;'],
    ['a broken line', [line(1), line(2).slice(1), line(3)], 'line 2: this is not JSON; the file is damaged.'],
    ['an empty line', [line(1), '', line(2)], 'line 2: this is not JSON; the file is damaged.'],
    ['zeros in the middle', [line(1), '\0\0\0', line(3)], 'line 2: this is not JSON; the file is damaged.'],
    ['JSON that is not an event', ['[]'], 'line 1: this is no event of a journal.'],
  ])('is refused, with the number of the line, if it has %s', async (_what, lines, message) => {
    const content = file(...lines);
    await writeFile(path, content);
    const expected = expect.objectContaining({ code: 'journal-unreadable', exitCode: 4, message: expect.stringContaining(`${path} ${message}`) });
    await expect(openFileJournal(path)).rejects.toEqual(expected);
    await expect(readJournalFile(path)).rejects.toEqual(expected);
    expect(await readFile(path, 'utf8'), 'it is left as it was').toBe(content);
  });

  it('is closed again when it is refused', async () => {
    await writeFile(path, file('[]'));
    const before = readdirSync('/proc/self/fd').length;
    for (let time = 0; time < 20; time += 1) await openFileJournal(path).catch(() => undefined);
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
  });

  it('is not written through a symbolic link', async () => {
    const elsewhere = `${path}.elsewhere`;
    await writeFile(elsewhere, '');
    await symlink(elsewhere, path);
    await expect(openFileJournal(path)).rejects.toMatchObject({ code: 'journal-lost', exitCode: 4, message: expect.stringContaining(path) });
    expect(await readFile(elsewhere, 'utf8')).toBe('');
  });

  it('is refused in one line if it is a folder', async () => {
    await mkdir(path);
    await expect(openFileJournal(path)).rejects.toMatchObject({ code: 'journal-lost', exitCode: 4, message: expect.stringContaining(path) });
  });
});

describe('a journal in a file', () => {
  it('is readable only by its owner', async () => {
    await (await openFileJournal(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('has one line for each event, whatever the event contains', async () => {
    const journal = await openFileJournal(path);
    const odd: JournalEvent = { v: 1, seq: 1, at: 1, body: { type: 'effect.lost', key: 'a\nb\r\u2028\0"\\\u{1F600}\uD800' } };
    await journal.append(odd, true);
    await journal.close();
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(2);
    expect(await readJournalFile(path)).toEqual([odd]);
  });

  it('throws journal-lost when it cannot be written', async () => {
    const journal = await openFileJournal(path);
    await journal.close();
    await expect(journal.append(event(1), true)).rejects.toMatchObject({
      code: 'journal-lost',
      exitCode: 4,
      hint: expect.stringContaining('ralph runs resume'),
    });
  });

  it('that was deleted stops the run and says that it cannot be resumed', async () => {
    const journal = await openFileJournal(path);
    await journal.append(event(1), true);
    await rm(path);
    await journal.append(event(2), false);
    await expect(journal.append(event(3), true)).rejects.toMatchObject({
      code: 'journal-lost',
      exitCode: 4,
      message: `The journal ${path} was deleted while this run was writing it.`,
      hint: expect.not.stringContaining('--resume'),
    });
    await journal.close();
  });

  it('of 50 MB is read within seconds', async () => {
    const handle = await open(path, 'a');
    const key = 'k'.repeat(400);
    for (let seq = 0, bytes = 0; bytes < 50_000_000; ) {
      const some = file(...Array.from({ length: 1000 }, () => line(++seq, { key })));
      await handle.write(some);
      bytes += some.length;
    }
    await handle.close();
    const read = async () => expect((await readJournalFile(path)).length).toBeGreaterThan(100_000);
    expect(await cpuMs(read)).toBeLessThan(20_000);
  });
});
