import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { entryBytes, openFileBus } from './file-bus.ts';

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

const KB = 1024;
const entry = (id: string, body: string) => entryBytes({ type: 'FACT', project_id: 'demo', body }, { msg_id: id, ts: '2026-01-01T00:00:00.000Z' });
const large = (bytes: number) => 'a line of text\n'.repeat(Math.ceil(bytes / 15)).slice(0, bytes);
const idsOf = (messages: readonly { readonly msg_id: string }[]) => messages.map(({ msg_id }) => msg_id);

describe('the last messages within a byte limit', () => {
  it('are all returned when they fit', async () => {
    await writeFile(path, Buffer.concat([entry('a', 'x'), entry('b', 'y')]));
    expect(idsOf(await openFileBus(path).last(5, 64 * KB))).toEqual(['a', 'b']);
  });

  it('leave out older messages first', async () => {
    for (let n = 0; n < 20; n += 1) await appendFile(path, entry(`m${n}`, large(10 * KB)));
    const found = await openFileBus(path).last(20, 64 * KB);
    expect(idsOf(found)).toEqual(['m14', 'm15', 'm16', 'm17', 'm18', 'm19']);
    expect(found.every(({ body }) => body.length === 10 * KB)).toBe(true);
  });

  it('leave out the body of a message that is larger by itself, and give its size', async () => {
    await writeFile(path, Buffer.concat([entry('a', 'before'), entry('huge', large(999 * KB)), entry('b', 'after')]));
    expect(await openFileBus(path).last(5, 64 * KB)).toMatchObject([
      { msg_id: 'a', body: 'before' },
      { msg_id: 'huge', type: 'FACT', body: '', body_left_out: 999 * KB },
      { msg_id: 'b', body: 'after' },
    ]);
  });

  it('are found after a large message wherever it begins and ends', async () => {
    for (let extra = 0; extra < 300; extra += 7) {
      await writeFile(path, Buffer.concat([entry('a', 'before'), entry('huge', large(200 * KB + extra)), entry('b', large(extra))]));
      expect(idsOf(await openFileBus(path).last(5, 64 * KB)), `${extra} bytes more`).toEqual(['a', 'huge', 'b']);
    }
  });

  it('do not include a large message that was cut off, nor a small one', async () => {
    const torn = entry('torn', large(300 * KB)).subarray(0, 250 * KB);
    await writeFile(path, Buffer.concat([entry('a', 'before'), torn, entry('b', 'after'), torn]));
    expect(idsOf(await openFileBus(path).last(5, 64 * KB))).toEqual(['a', 'b']);
  });

  it('may come from other tools, which do not write their length', async () => {
    const foreign = (id: string, body: string) => `---\nmsg_id: ${id}\ntype: FACT\n---\n${body}\n`;
    await writeFile(path, foreign('a', 'one') + foreign('b', large(60 * KB)) + foreign('c', 'three') + foreign('d', large(60 * KB)));
    expect(idsOf(await openFileBus(path).last(5, 64 * KB))).toEqual(['c', 'd']);
    await appendFile(path, entry('huge', large(200 * KB)));
    expect(idsOf(await openFileBus(path).last(5, 64 * KB))).toEqual(['c', 'd', 'huge']);
  });

  it('may be spread over several files', async () => {
    await writeFile(`${path}.20260101-000000.archived`, Buffer.concat([entry('a', large(40 * KB)), entry('b', large(40 * KB))]));
    await writeFile(path, entry('c', large(20 * KB)));
    expect(idsOf(await openFileBus(path).last(5, 64 * KB))).toEqual(['b', 'c']);
  });
});

describe('the size after a message', () => {
  it('is counted in bytes, over all files', async () => {
    const [a, b, c] = [entry('a', 'x'), entry('b', large(40 * KB)), entry('c', 'z')];
    await writeFile(`${path}.20260101-000000.archived`, Buffer.concat([a, b]));
    await writeFile(path, c);
    const bus = openFileBus(path);
    expect([await bus.bytesSince('a'), await bus.bytesSince('b'), await bus.bytesSince('c')]).toEqual([b.length + c.length, c.length, 0]);
  });

  it('is known for a message larger than one read', async () => {
    await writeFile(path, Buffer.concat([entry('huge', large(6 * KB * KB)), entry('b', 'after')]));
    expect(await openFileBus(path).bytesSince('huge')).toBe(entry('b', 'after').length);
  });

  it('is unknown when there is no such message', async () => {
    await writeFile(path, entry('a', 'x'));
    expect(await openFileBus(path).bytesSince('b')).toBeNull();
  });
});
