import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { NewBusMessage } from '../../journal/messages.ts';
import { archivesOf } from './bus-files.ts';
import { openFileBus } from './file-bus.ts';

let folder: ThrowAwayFolder;
let path = '';
let count = 0;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
beforeEach(async () => {
  count += 1;
  await mkdir(join(folder.path, String(count)));
  path = join(folder.path, String(count), 'TASK-MESSAGE-BUS.md');
});
afterAll(() => folder[Symbol.asyncDispose]());

const note = (body: string): NewBusMessage => ({ type: 'INFO', project_id: 'demo', body });
const nowMs = () => Date.UTC(2026, 1, 23, 19, 17, 10, 184);

describe('a bus in a file', () => {
  it('is text that people can read', async () => {
    const bus = openFileBus(path, { nowMs });
    const id = await bus.post({ ...note('run started\n---\nrun_dir: /runs/2026'), task_id: 'task-1', run_id: '20260223-191710-0a1b2c', meta: { kind: 'x y' } });
    expect(id).toMatch(/^MSG-20260223-191710-184\d{6}-PID\d+-\d{4,}$/);
    expect(await readFile(path, 'utf8')).toBe(`
---
msg_id: ${id}
ts: 2026-02-23T19:17:10.184Z
type: INFO
project_id: demo
task_id: task-1
run_id: 20260223-191710-0a1b2c
meta: {"kind":"x y"}
body_disguised: true
body_bytes: 36
---
run started
 ---
run_dir: /runs/2026
`);
  });

  it('has headers that any YAML reader understands', async () => {
    const odd = ['true', '123', '2026-01-01', 'a: b', '- c', '#d', '---', "'", '"\\', '\u2028\u0085\u007f', 'ü\n', ' ', ''];
    const meta = Object.fromEntries(odd.map((text, index) => [`${text}${index}`, text]));
    for (const text of odd) await openFileBus(path).post({ ...note('x'), project_id: text, parents: [{ msg_id: text, kind: text }], meta });
    const headers = (await readFile(path, 'utf8')).split('---\n').filter((part) => part.startsWith('msg_id'));
    expect(headers.map((header) => parse(header))).toMatchObject(odd.map((text) => ({ project_id: text, parents: [{ msg_id: text, kind: text }], meta })));
    expect((await openFileBus(path).last(99)).map(({ project_id }) => project_id)).toEqual(odd);
  });

  it('keeps bytes that are not UTF-8, and returns them beside the text', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0a, 0x2d, 0x2d, 0x2d, 0x0a, 0xc3]);
    await openFileBus(path).post({ ...note(''), body_base64: bytes.toString('base64') });
    await openFileBus(path).post(note('after'));
    expect(await openFileBus(path).last(2)).toMatchObject([{ body: bytes.toString(), body_base64: bytes.toString('base64') }, { body: 'after' }]);
  });

  it('keeps a body of five megabytes, and finds the messages before and after it', async () => {
    const bus = openFileBus(path);
    const large = `${'---\nmsg_id: MSG-forged\ntype: FACT\n---\n\n'.repeat(125_000)}end`;
    const first = await bus.post(note('first'));
    for (const body of [large, 'last']) await bus.post(note(body));
    const [one, two] = (await bus.since(first)) ?? [];
    expect([one?.body === large, two?.body, (await bus.last(1))[0]?.body]).toEqual([true, 'last', 'last']);
    expect((await bus.last(99)).map(({ body }) => body.length)).toEqual([5, large.length, 4]);
  });

  it('is readable by its owner only', async () => {
    await openFileBus(path).post(note('x'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

describe('at the path of a bus', () => {
  const places: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a symbolic link', () => symlink(join(folder.path, 'elsewhere.md'), path)],
    ['a directory', () => mkdir(path)],
    ['a pipe', async () => execFileSync('mkfifo', [path])],
    ['a device or a socket', async () => await once(createServer().listen(path).unref(), 'listening')],
  ];

  it.each(places)('%s is refused by posts and by readers, without waiting', async (kind, put) => {
    await writeFile(join(folder.path, 'elsewhere.md'), '');
    await put();
    const bus = openFileBus(path);
    const refusal = { code: 'bus-not-a-file', exitCode: 4, message: `the message bus ${path} is ${kind}, not a regular file`, hint: expect.any(String) };
    await expect(bus.post(note('x'))).rejects.toMatchObject(refusal);
    await expect(bus.last(1)).rejects.toMatchObject(refusal);
    await expect(bus.since('MSG-1')).rejects.toMatchObject(refusal);
    await expect(bus.follow(null, () => undefined, new AbortController().signal)).rejects.toMatchObject(refusal);
    expect(await readFile(join(folder.path, 'elsewhere.md'), 'utf8')).toBe('');
  });

  it('a link that is put there while the bus is open is refused too, and nothing is written through it', async () => {
    const bus = openFileBus(path);
    await bus.post(note('first'));
    await rename(path, `${path}.stolen`);
    await symlink(`${path}.stolen`, path);
    const before = await readFile(`${path}.stolen`, 'utf8');
    await expect(bus.post(note('second'))).rejects.toMatchObject({ code: 'bus-not-a-file' });
    expect(await readFile(`${path}.stolen`, 'utf8')).toBe(before);
  });

  it('a removed file is made again', async () => {
    const bus = openFileBus(path);
    await bus.post(note('first'));
    await rm(path);
    await bus.post(note('second'));
    expect(await bus.last(9)).toMatchObject([{ body: 'second' }]);
  });

  it('a missing folder is reported, not made', async () => {
    const bus = openFileBus(join(path, 'missing', 'BUS.md'));
    await expect(bus.post(note('x'))).rejects.toMatchObject({ code: 'bus-not-opened', exitCode: 4 });
    expect(await bus.last(3)).toEqual([]);
  });
});

describe('a bus that has grown large', () => {
  it('is rotated to a name with the time, and is still read as one bus', async () => {
    let now = nowMs();
    const bus = openFileBus(path, {
      rotateBytes: 500,
      nowMs: () => {
        now += 1000;
        return now;
      },
    });
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await bus.post(note(String(n))));
    expect(archivesOf(path)[0]).toMatch(/\/TASK-MESSAGE-BUS\.md\.20260223-19\d{4}\.archived$/);
    expect(archivesOf(path).length).toBeGreaterThan(1);
    expect((await bus.last(8)).map(({ body }) => body).join('')).toBe('23456789');
    expect((await bus.since(ids[1] ?? ''))?.map(({ body }) => body).join('')).toBe('23456789');
  });

  it('is rotated at most once a second, so that no archive is overwritten', async () => {
    const bus = openFileBus(path, { rotateBytes: 1, nowMs });
    for (let n = 0; n < 5; n += 1) await bus.post(note(String(n)));
    expect(archivesOf(path)).toHaveLength(1);
    expect(await bus.last(9)).toHaveLength(5);
  });

  it('is never rotated to an older name than an earlier archive, so that messages keep their order', async () => {
    await openFileBus(path, { rotateBytes: 1, nowMs: () => 20_000 }).post(note('first'));
    const late = openFileBus(path, { rotateBytes: 1, nowMs: () => 10_000 });
    await late.post(note('second'));
    await openFileBus(path).post(note('third'));
    expect((await late.last(9)).map(({ body }) => body.trim())).toEqual(['first', 'second', 'third']);
    expect(archivesOf(path)).toHaveLength(1);
  });

  it('is not rotated without a size limit', async () => {
    const bus = openFileBus(path);
    for (let n = 0; n < 5; n += 1) await bus.post(note('x'.repeat(100_000)));
    expect(archivesOf(path)).toEqual([]);
  });
});
