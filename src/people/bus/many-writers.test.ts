import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT } from '../../../test/support/built-modules.ts';
import { deep, deepIt } from '../../../test/support/deep.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { BusMessage } from '../../journal/messages.ts';
import { archivesOf } from './bus-files.ts';
import { openFileBus } from './file-bus.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/bus');
const WRITER = join(FIXTURES, 'post-many.mjs');
const HOLDER = join(FIXTURES, 'hold-lock.mjs');

let folder: ThrowAwayFolder;
let module = '';
beforeAll(async () => {
  folder = await openThrowAwayFolder();
  module = join(BUILT, 'people/bus/file-bus.js');
});
afterAll(() => folder[Symbol.asyncDispose]());

interface Writing {
  readonly path: string;
  readonly writer: string;
  /** 0: until it is killed. */
  readonly count: number;
  readonly bodyBytes?: number;
  readonly rotateBytes?: number;
}

function startWriter({ path, writer, count, bodyBytes = 0, rotateBytes = 0 }: Writing): ChildProcess {
  return fork(WRITER, [module, path, writer, String(count), String(bodyBytes), String(rotateBytes)]);
}

async function wellEnded(child: ChildProcess): Promise<void> {
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect(code).toBe(0);
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

const numbersOf = (messages: readonly BusMessage[], writer: string) =>
  messages.filter(({ run_id }) => run_id === writer).map(({ body }) => Number(body.split('\n')[0]));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('many writers', () => {
  const loseNothing = async (processes: number, count: number) => {
    const path = join(folder.path, `MANY-${processes}.md`);
    const writers = upTo(processes).map((n) => `writer-${n}`);
    await Promise.all(writers.map((writer) => wellEnded(startWriter({ path, writer, count }))));
    const messages = await openFileBus(path).last(20_000);
    expect(messages).toHaveLength(processes * count);
    expect(new Set(messages.map(({ msg_id }) => msg_id)).size).toBe(processes * count);
    for (const writer of writers) expect(numbersOf(messages, writer)).toEqual(upTo(count));
  };

  it('five processes with three hundred posts each lose nothing, mix nothing and keep their own order', () => loseNothing(5, 300));

  deep('ten processes with a thousand posts each take seconds of processor time', () => {
    it('ten processes with a thousand posts each lose nothing, mix nothing and keep their own order', () => loseNothing(10, 1000));
  });

  deepIt('a kill at every byte of a message is in torn-entries.test.ts')(
    'a writer that is killed again and again costs no other writer a message',
    async () => {
      const path = join(folder.path, 'KILLED.md');
      const lives = upTo(5).map((n) => `life-${n}`);
      const steady = startWriter({ path, writer: 'steady', count: 0, bodyBytes: 20_000 });
      await once(steady, 'message');
      await until('the steady one has posted', () => sizeOf(path) > 0);
      for (const life of lives) {
        const victim = startWriter({ path, writer: life, count: 0, bodyBytes: 300_000 });
        await once(victim, 'message');
        const before = sizeOf(path);
        await until('the bus has grown', () => sizeOf(path) > before + 900_000);
        await killed(victim);
      }
      await killed(steady);
      const id = await openFileBus(path).post({ type: 'INFO', project_id: 'demo', body: 'after all' });
      const messages = await openFileBus(path).last(1_000_000);
      expect(messages.at(-1)?.msg_id).toBe(id);
      for (const writer of ['steady', ...lives]) {
        const posted = numbersOf(messages, writer);
        expect(posted).toEqual(upTo(posted.length));
      }
      expect(numbersOf(messages, 'steady').length).toBeGreaterThan(0);
      expect(messages.filter(({ msg_id }) => !msg_id.includes('-PID'))).toEqual([]);
    },
  );

  it('rotation while others write loses nothing, for followers and for later readers', async () => {
    const path = join(folder.path, 'ROTATED.md');
    const followed: BusMessage[] = [];
    const control = new AbortController();
    const following = openFileBus(path).follow(null, (message) => followed.push(message), control.signal);
    const writers = upTo(4).map((n) => `writer-${n}`);
    await Promise.all(writers.map((writer) => wellEnded(startWriter({ path, writer, count: 800, bodyBytes: 400, rotateBytes: 200_000 }))));
    await until('everything was told', () => followed.length >= 3_200);
    control.abort();
    await following;
    const kept = await openFileBus(path).last(100_000);
    expect(archivesOf(path).length).toBeGreaterThan(0);
    for (const messages of [followed, kept]) {
      expect(messages).toHaveLength(3_200);
      for (const writer of writers) expect([...numbersOf(messages, writer)].sort((a, b) => a - b)).toEqual(upTo(800));
    }
  });
});

describe('a writer in trouble', () => {
  it('does not rotate while another process holds the rotation lock, and takes over the lock of a killed one', async () => {
    const path = join(folder.path, 'HELD.md');
    const holder = fork(HOLDER, [join(BUILT, 'store/lock.js'), join(dirname(path), `.${basename(path).toLowerCase()}.rotation`)]);
    expect((await once(holder, 'message'))[0]).toBe('taken');
    const bus = openFileBus(path, { rotateBytes: 1 });
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'while it is held' });
    expect(archivesOf(path)).toEqual([]);
    await killed(holder);
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'when it is free' });
    expect(archivesOf(path)).toHaveLength(1);
    expect(await bus.last(9)).toHaveLength(2);
  });

  it('reports that a message did not fit on the disk, and damages no other message', async () => {
    const path = join(folder.path, 'FULL.md');
    const bus = openFileBus(path);
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'before' });
    const args = [WRITER, module, path, 'too-much', '1', '100000', '0'];
    const { status, stderr } = spawnSync('sh', ['-c', 'trap "" XFSZ; ulimit -f 8; exec "$@"', 'sh', process.execPath, ...args], { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`cannot write to the message bus ${path}: only `);
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'after' });
    expect((await bus.last(9)).map(({ body }) => body)).toEqual(['before', 'after']);
  });
});

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
