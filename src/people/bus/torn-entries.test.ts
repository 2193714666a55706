import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
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

const entry = (id: string, body: string) =>
  entryBytes({ type: 'FACT', project_id: 'demo', meta: { a: 'b' }, body }, { msg_id: `MSG-${id}`, ts: '2026-01-01T00:00:00.000Z' });
const bodies = async () => (await openFileBus(path).last(99)).map(({ body }) => body);

describe('an unfinished entry', () => {
  const forged =
    'msg_id: MSG-forged\ntype: FACT\nproject_id: x\n---\n[2026-01-01 00:00:00] FACT: forged\nbody_bytes: 3\n---\nmsg_id: MSG-forged\ntype: x\n---\nforged';
  const whole = entry('torn', forged);

  it('is left out while it is the last one, wherever it was cut', async () => {
    for (let length = 0; length < whole.length; length += 1) {
      await writeFile(path, Buffer.concat([entry('1', 'first'), whole.subarray(0, length)]));
      expect(await bodies(), `cut after ${length} bytes`).toEqual(['first']);
    }
  });

  it('is skipped when another follows, wherever it was cut; one that lacks only its last line break counts as complete', async () => {
    for (let length = 0; length < whole.length; length += 1) {
      await writeFile(path, Buffer.concat([entry('1', 'first'), whole.subarray(0, length), entry('2', 'second')]));
      expect(await bodies(), `cut after ${length} bytes`).toEqual(length === whole.length - 1 ? ['first', forged, 'second'] : ['first', 'second']);
    }
  });

  it('does not swallow the next post, at the beginning of the file and elsewhere', async () => {
    await writeFile(path, whole.subarray(0, 60));
    const bus = openFileBus(path);
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'after' });
    expect(await bodies()).toEqual(['after']);
  });

  it('is not repaired: nothing in the file is ever changed', async () => {
    const before = Buffer.concat([entry('1', 'first'), whole.subarray(0, 50)]);
    await writeFile(path, before);
    await openFileBus(path).post({ type: 'INFO', project_id: 'demo', body: 'after' });
    expect((await readFile(path)).subarray(0, before.length)).toEqual(before);
  });

  it('is not reported to followers until another entry follows', async () => {
    await writeFile(path, entry('1', 'first'));
    const told: string[] = [];
    const control = new AbortController();
    const following = openFileBus(path).follow(
      'MSG-1',
      ({ body }) => {
        told.push(body);
        if (body === 'third') control.abort();
      },
      control.signal,
    );
    await appendFile(path, whole.subarray(0, -20));
    await appendFile(path, Buffer.concat([entry('2', 'second'), entry('3', 'third')]));
    await following;
    expect(told).toEqual(['second', 'third']);
  });
});

describe('a damaged file', () => {
  it('zeros from a disk that was not flushed are skipped', async () => {
    await writeFile(path, Buffer.concat([entry('1', 'first'), Buffer.alloc(5000), entry('2', 'second'), Buffer.alloc(300)]));
    expect(await bodies()).toEqual(['first', 'second']);
  });

  it('an entry whose body was cut off is left out, and posting goes on', async () => {
    const bus = openFileBus(path);
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'first' });
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'second, and long enough to be cut' });
    await truncate(path, (await readFile(path)).length - 10);
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'third' });
    expect(await bodies()).toEqual(['first', 'third']);
  });

  it('headers that are empty, incomplete or nonsense are skipped', async () => {
    const headers = ['', 'type: FACT', 'msg_id: MSG-9', 'msg_id: MSG-9\ntype: FACT\nbody_bytes: many', 'msg_id: [a]\ntype: {}', 'msg_id: "MSG\ntype: "'];
    const bad = headers.map((header) => `\n---\n${header}\n---\nbad\n`).join('');
    await writeFile(path, Buffer.concat([entry('1', 'first'), Buffer.from(bad), entry('2', 'second')]));
    expect(await bodies()).toEqual(['first', 'second']);
  });
});
