import { appendFile, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { NewBusMessage } from '../../journal/messages.ts';
import { openFileBus } from './file-bus.ts';

let folder: ThrowAwayFolder;
let path = '';
let count = 0;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
beforeEach(() => {
  count += 1;
  path = join(folder.path, `${count}.md`);
});
afterAll(() => folder[Symbol.asyncDispose]());

const note = (body: string): NewBusMessage => ({ type: 'INFO', project_id: 'demo', body });

/** Follows the bus while `work` runs, until the expected messages have arrived. */
async function followed(fromId: string | null, expected: string, work: (soFar: (text: string) => Promise<unknown>) => Promise<void>): Promise<string> {
  const bodies: string[] = [];
  const control = new AbortController();
  const text = () => bodies.join(' ');
  const following = openFileBus(path).follow(fromId, ({ body }) => bodies.push(body), control.signal);
  try {
    await work((soFar) => until(`"${soFar}" was told, not "${text()}"`, () => text() === soFar));
    await until(`"${expected}" was told`, () => text().length >= expected.length);
    return text();
  } finally {
    control.abort();
    expect(await following).toBe(true);
  }
}

describe('a follower of a bus', () => {
  it('gets new messages, also from a bus that does not exist yet', async () => {
    const bus = openFileBus(path);
    expect(
      await followed(null, 'a b c', async (soFar) => {
        await soFar('');
        for (const body of ['a', 'b', 'c']) await bus.post(note(body));
      }),
    ).toBe('a b c');
  });

  it('begins after the message it names, and misses none that came before it looked', async () => {
    const bus = openFileBus(path);
    const [first] = [await bus.post(note('a')), await bus.post(note('b'))];
    expect(await followed(first ?? null, 'b c', async () => void (await bus.post(note('c'))))).toBe('b c');
  });

  it('is told at once when there is no such message', async () => {
    await openFileBus(path).post(note('a'));
    expect(await openFileBus(path).follow('MSG-nobody', () => undefined, new AbortController().signal)).toBe(false);
  });

  it('continues across rotated files, also with what is written to an archive late', async () => {
    const bus = openFileBus(path);
    await bus.post(note('a'));
    const aside = [`${path}.20260101-000000.archived`, `${path}.20260101-000001.archived`] as const;
    const late = openFileBus(`${path}.late`);
    expect(
      await followed(null, 'a b c d late', async (soFar) => {
        await soFar('a');
        await bus.post(note('b'));
        await rename(path, aside[0]);
        await bus.post(note('c'));
        await rename(path, aside[1]);
        await bus.post(note('d'));
        await soFar('a b c d');
        await rename(aside[0], `${path}.late`);
        await late.post(note('late'));
      }),
    ).toBe('a b c d late');
  });

  it('begins in a file that was rotated long ago', async () => {
    const bus = openFileBus(path);
    const first = await bus.post(note('a'));
    await bus.post(note('b'));
    await rename(path, `${path}.20260101-000000.archived`);
    await bus.post(note('c'));
    await rename(path, `${path}.20260101-000001.archived`);
    expect(await followed(first, 'b c d', async () => void (await bus.post(note('d'))))).toBe('b c d');
  });

  it('begins again with a file that was emptied', async () => {
    const bus = openFileBus(path);
    await bus.post(note('a long enough first message'));
    expect(
      await followed(null, 'a long enough first message b', async (soFar) => {
        await soFar('a long enough first message');
        await truncate(path, 0);
        await bus.post(note('b'));
      }),
    ).toBe('a long enough first message b');
  });

  it('waits with an entry of another tool until that entry stops growing', async () => {
    await writeFile(path, '---\nmsg_id: MSG-1\ntype: FACT\nproject_id: demo\n---\none\n');
    expect(
      await followed(null, 'one\ntwo', async () => {
        await appendFile(path, 'two\n');
      }),
    ).toBe('one\ntwo');
  });

  it("fails when a link is put in the bus's place", async () => {
    await openFileBus(path).post(note('a'));
    const following = openFileBus(path).follow(null, () => undefined, new AbortController().signal);
    await rename(path, `${path}.stolen`);
    await symlink(`${path}.stolen`, path);
    await expect(following).rejects.toMatchObject({ code: 'bus-not-a-file' });
  });
});
