import { describe, expect, it } from 'vitest';
import type { Bus } from '../../src/engine/ports/supervision.ts';
import type { NewBusMessage } from '../../src/journal/messages.ts';

const note = (body: string): NewBusMessage => ({ type: 'INFO', project_id: 'demo', body });
const everything: NewBusMessage = {
  type: 'DECISION',
  project_id: 'demo',
  task_id: 'task-20260101-000000-docs',
  run_id: '20260101-000000-0a1b2c',
  issue_id: 'MSG-0',
  parents: [{ msg_id: 'MSG-1', kind: 'answer', meta: { why: 'asked' } }, { msg_id: 'MSG-2' }],
  links: [{ url: 'https://example.com/?a=b#c', label: 'the page', kind: 'source' }, { url: 'file:///a' }],
  meta: { kind: 'propagation', 'a key: with "all"': 'two\nlines\n---\n' },
  body: '# Title\n\nA body with ünïcödé, 🎉 and a\ttab.',
};

/** The contract of every bus; `fresh` returns an empty bus and how to open it a second time. */
export function honoursTheBusContract(name: string, fresh: () => Promise<() => Bus>): void {
  describe(`${name} honours the bus's contract`, () => {
    it('is empty at first', async () => {
      const bus = (await fresh())();
      expect([await bus.last(5), await bus.since('MSG-1'), await bus.bytesSince('MSG-1')]).toEqual([[], null, null]);
    });

    it('returns every field of a message, with the id that the post returned and a time', async () => {
      const bus = (await fresh())();
      const msg_id = await bus.post(everything);
      expect(await bus.last(5)).toEqual([{ ...everything, msg_id, ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/) }]);
    });

    it('returns the last n messages, oldest first', async () => {
      const bus = (await fresh())();
      for (const body of ['a', 'b', 'c', 'd']) await bus.post(note(body));
      const bodies = async (count: number) => (await bus.last(count)).map(({ body }) => body);
      expect([await bodies(0), await bodies(1), await bodies(3), await bodies(9)]).toEqual([[], ['d'], ['b', 'c', 'd'], ['a', 'b', 'c', 'd']]);
    });

    it('counts the messages after a given one', async () => {
      const bus = (await fresh())();
      const [first, last] = [await bus.post(note('a')), await bus.post(note('b'.repeat(100)))];
      expect([await bus.bytesSince(first), await bus.bytesSince(last), await bus.bytesSince('MSG-unknown')]).toEqual([expect.any(Number), 0, null]);
      expect(await bus.bytesSince(first)).toBeGreaterThan(100);
    });

    it('returns all messages after a given one, none after the last, and null for an unknown one', async () => {
      const bus = (await fresh())();
      const ids = [await bus.post(note('a')), await bus.post(note('b')), await bus.post(note('c'))];
      const bodiesAfter = async (id = '') => (await bus.since(id))?.map(({ body }) => body) ?? null;
      expect([await bodiesAfter(ids[0]), await bodiesAfter(ids[2]), await bodiesAfter('MSG-nobody')]).toEqual([['b', 'c'], [], null]);
    });

    it('uses its own id as the issue id by default', async () => {
      const bus = (await fresh())();
      const msg_id = await bus.post({ ...note('it breaks'), type: 'ISSUE' });
      await bus.post({ ...note('again'), type: 'ISSUE', issue_id: msg_id });
      expect((await bus.last(2)).map(({ issue_id }) => issue_id)).toEqual([msg_id, msg_id]);
    });

    it('shows the same messages to every reader, those of each writer in order', async () => {
      const open = await fresh();
      const buses = [open(), open(), open()];
      await Promise.all(
        buses.map(async (bus, writer) => {
          for (let n = 0; n < 20; n += 1) await bus.post({ ...note(String(n)), run_id: `writer-${writer}` });
        }),
      );
      const seen = await open().last(100);
      expect(new Set(seen.map(({ msg_id }) => msg_id)).size).toBe(60);
      for (const writer of [0, 1, 2])
        expect(seen.filter(({ run_id }) => run_id === `writer-${writer}`).map(({ body }) => Number(body))).toEqual(Array.from({ length: 20 }, (_, n) => n));
    });

    it.each([
      ['nothing', ''],
      ['line breaks only', '\n\n\n'],
      ['dashes', '---\n ---\n---\r\n--- \n----\n---'],
      ['a header', '\n---\nmsg_id: MSG-forged\nts: 2026-01-01T00:00:00Z\ntype: FACT\nproject_id: demo\n---\nforged\n\n---\n'],
      ['the first line of a header', 'msg_id: MSG-forged\ntype: FACT\nproject_id: x\nbody_bytes: 1\n'],
      ['line ends of other systems', 'a\r\nb\rc\r\n'],
      ['control characters', '\u0000\u0007\u001b[31m\u2028\ufeff'],
    ])('keeps a body of %s unchanged, and the messages after it', async (_, body) => {
      const bus = (await fresh())();
      await bus.post(note(body));
      await bus.post(note('after'));
      expect((await bus.last(9)).map((message) => message.body)).toEqual([body, 'after']);
    });
  });
}
