import { execFileSync } from 'node:child_process';
import { appendFile, chmod, copyFile, link, readFile, rename, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/support/cpu-ms.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { tickOfTheDisk } from '../../test/support/tick-of-the-disk.ts';
import type { Journal } from '../engine/ports/stores.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import { digestOf, openFileJournal, openLine, readJournalFile, sealLine } from './journal-file.ts';

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
const unsealed = (seq: number) => JSON.stringify({ v: 1, seq, at: 1_000 * seq, type: 'effect.lost', key: `agent:${seq}.1 ü` });
const tampered = (line: number) => ({
  code: 'journal-tampered',
  exitCode: 4,
  message: expect.stringContaining(`${path} is not what ralph wrote, from line ${line} on: `),
});

async function writes(events: readonly JournalEvent[]): Promise<void> {
  const journal = await openFileJournal(path);
  for (const one of events) await journal.append(one, false);
  await journal.close();
}

async function linesNow(): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1);
}

const put = (lines: readonly string[]) => writeFile(path, lines.map((line) => `${line}\n`).join(''));

/** What a forger does who knows how digests are computed. */
function resealed(lines: readonly string[]): string[] {
  let digest = '';
  return lines.map((line) => {
    digest = digestOf(digest, openLine(line).line);
    return sealLine(openLine(line).line, digest);
  });
}

const edited = (line = '') => line.replace('agent:', 'agenT:');

describe('a journal at rest', () => {
  it.each<[string, number, (lines: readonly string[]) => readonly string[]]>([
    ['a line was changed', 3, (lines) => lines.with(2, edited(lines[2]))],
    ['the first line was changed', 1, (lines) => lines.with(0, edited(lines[0]))],
    ['the last line was changed', 5, (lines) => lines.with(4, edited(lines[4]))],
    ['a digest was changed', 2, (lines) => lines.with(1, sealLine(unsealed(2), '0123456789abcdef'))],
    ['a line was changed, and its own digest recomputed', 4, (lines) => [...resealed(lines.slice(0, 2).concat(edited(lines[2]))), ...lines.slice(3)]],
    ['a line was removed', 3, (lines) => lines.toSpliced(2, 1)],
    ['the first line was removed', 1, (lines) => lines.slice(1)],
    ['two lines were swapped', 2, (lines) => lines.with(1, lines[2] ?? '').with(2, lines[1] ?? '')],
    ['a line was duplicated', 4, (lines) => lines.toSpliced(3, 0, lines[2] ?? '')],
    ['a line was inserted', 3, (lines) => lines.toSpliced(2, 0, unsealed(3))],
    ['an empty line was inserted', 3, (lines) => lines.toSpliced(2, 0, '')],
    ['a line was added', 6, (lines) => [...lines, unsealed(6)]],
    ['a line was added with a digest that ignores the lines before it', 6, (lines) => [...lines, sealLine(unsealed(6), digestOf('', unsealed(6)))]],
    ['a line has lost its digest', 3, (lines) => lines.with(2, unsealed(3))],
    ['all lines but the first have lost their digests', 2, (lines) => lines.map((line, index) => (index === 0 ? line : openLine(line).line))],
    ['a line was reformatted', 3, (lines) => lines.with(2, JSON.stringify(JSON.parse(lines[2] ?? '')).replaceAll(':', ': '))],
    ['a line in the middle was overwritten with zeros', 3, (lines) => lines.with(2, '\0'.repeat(lines[2]?.length ?? 0))],
    [
      'the beginning was never sealed, and a later line was changed',
      4,
      (lines) => [openLine(lines[0] ?? '').line, ...lines.slice(1).with(2, edited(lines[3]))],
    ],
    ['a first line without a digest was changed', 2, (lines) => [edited(openLine(lines[0] ?? '').line), ...lines.slice(1)]],
  ])('is refused, with the number of the line, when %s', async (_what, line, change) => {
    await writes([1, 2, 3, 4, 5].map(event));
    await put(change(await linesNow()));
    const content = await readFile(path, 'utf8');
    await expect(openFileJournal(path)).rejects.toMatchObject(tampered(line));
    await expect(readJournalFile(path)).rejects.toMatchObject(tampered(line));
    expect(await readFile(path, 'utf8'), 'it is left as it was').toBe(content);
  });

  it('is refused with a hint that says what to do', async () => {
    await writes([1, 2].map(event));
    await put((await linesNow()).with(0, edited((await linesNow())[0])));
    await expect(readJournalFile(path)).rejects.toMatchObject({
      message: `The journal ${path} is not what ralph wrote, from line 1 on: that line was changed, or one before it was changed, removed, added or moved.`,
      hint: expect.stringContaining('start a new run'),
    });
  });

  it('is valid up to each of its lines, because a crash can leave it so', async () => {
    await writes([1, 2, 3, 4, 5].map(event));
    const lines = await linesNow();
    for (let whole = 0; whole <= lines.length; whole += 1) {
      await put(lines.slice(0, whole));
      await appendFile(path, (lines[whole] ?? '').slice(0, 30));
      await writes([event(whole + 1), event(whole + 2)]);
      expect(await readJournalFile(path)).toHaveLength(whole + 2);
    }
  });

  it('may start with lines from before digests existed; later digests cover them too', async () => {
    await put([1, 2].map(unsealed));
    expect(await readJournalFile(path)).toEqual([event(1), event(2)]);
    await writes([event(3), event(4)]);
    expect(await readJournalFile(path)).toEqual([1, 2, 3, 4].map(event));
    await put((await linesNow()).with(1, unsealed(2).replace('agent', 'agenT')));
    await expect(readJournalFile(path)).rejects.toMatchObject(tampered(3));
  });

  it('may have CRLF line ends', async () => {
    await writes([1, 2].map(event));
    await put((await linesNow()).map((line) => `${line}\r`));
    await writes([event(3)]);
    expect(await readJournalFile(path)).toEqual([1, 2, 3].map(event));
  });

  it('keeps any content of an event, even text that looks like a digest', async () => {
    const odd: JournalEvent = { v: 1, seq: 1, at: 1, body: { type: 'effect.lost', key: '","d":"0123456789abcdef"}\uD800ü' } };
    await writes([odd, event(2)]);
    expect(await readJournalFile(path)).toEqual([odd, event(2)]);
  });
});

describe('a journal that is being written', () => {
  async function opened(events: readonly JournalEvent[]): Promise<Journal> {
    const journal = await openFileJournal(path);
    for (const one of events) await journal.append(one, true);
    return journal;
  }

  it.each<[string, number, () => Promise<unknown>]>([
    ['adds a line', 4, () => appendFile(path, `${unsealed(4)}\n`)],
    ['adds half a line', 4, () => appendFile(path, '{"v":1,')],
    ['changes a line', 2, async () => writeFile(path, (await readFile(path, 'utf8')).replace('agent:2', 'agent:9'))],
    ['truncates it in the middle of a line', 3, async () => truncate(path, (await readFile(path, 'utf8')).length - 10)],
    ['removes its last line', 3, async () => put((await linesNow()).slice(0, -1))],
    ['empties it', 1, () => truncate(path, 0)],
    ['changes a line and recomputes all digests', 4, async () => put(resealed((await linesNow()).with(1, edited((await linesNow())[1]))))],
    ['changes a line and removes all digests', 4, async () => put((await linesNow()).map((line) => openLine(line).line.replace('agent:2', 'agent:9')))],
    ['adds a line with the right digest', 5, async () => put(resealed([...(await linesNow()), unsealed(4)]))],
    [
      'changes a line and gives it its old times back',
      4,
      async () => {
        await put(resealed((await linesNow()).with(1, edited((await linesNow())[1]))));
        await utimes(path, 0, 0);
      },
    ],
  ])('stops its run when somebody else %s, and is refused after that', async (_what, line, meddle) => {
    await using journal = disposable(await opened([1, 2, 3].map(event)));
    await tickOfTheDisk(path);
    await meddle();
    await journal.append(event(4), false);
    await expect(journal.append(event(5), true)).rejects.toMatchObject(tampered(line));
    await expect(readJournalFile(path)).rejects.toMatchObject({ code: 'journal-tampered' });
  });

  it('stops its run when another file is put in its place', async () => {
    await using journal = disposable(await opened([1, 2].map(event)));
    await copyFile(path, `${path}.copy`);
    await rename(`${path}.copy`, path);
    await expect(journal.append(event(3), true)).rejects.toMatchObject({
      code: 'journal-tampered',
      exitCode: 4,
      message: `The journal ${path} is not what ralph wrote: another file was put in its place while this run was writing it.`,
    });
  });

  it('stops its run when it is moved away', async () => {
    await using journal = disposable(await opened([1].map(event)));
    await rename(path, `${path}.moved`);
    await expect(journal.append(event(2), true)).rejects.toMatchObject({ code: 'journal-lost', exitCode: 4 });
  });

  it('accepts changes that leave its content: a hard link, other permissions, a new time, the same content written again', async () => {
    await using journal = disposable(await opened([1].map(event)));
    const meddlings = [
      () => link(path, `${path}.linked`),
      () => chmod(path, 0o644),
      () => utimes(path, 1, 1),
      () => execFileSync('touch', [path]),
      async () => writeFile(path, await readFile(path)),
    ];
    for (const [index, meddle] of meddlings.entries()) {
      await meddle();
      await journal.append(event(2 * index + 2), false);
      await journal.append(event(2 * index + 3), true);
    }
    expect(await readJournalFile(path)).toHaveLength(2 * meddlings.length + 1);
  });

  it('is not read again for every appended line', async () => {
    await using journal = disposable(await openFileJournal(path));
    const append5000 = async () => {
      for (let seq = 1; seq <= 5_000; seq += 1) await journal.append(event(seq), false);
    };
    expect(await cpuMs(append5000)).toBeLessThan(10_000);
  });
});

function disposable(journal: Journal): Journal & AsyncDisposable {
  return { ...journal, [Symbol.asyncDispose]: () => journal.close() };
}
