import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openQueuedWriter, type QueueLimits } from './stderr-writer.ts';

/** A reader that takes one piece at a time, on demand. */
function openSlowReader() {
  const read: string[] = [];
  let next = () => {};
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      next = () => {
        read.push(text);
        done();
      };
    },
  });
  return { stream, read, take: () => next() };
}

const patience: QueueLimits = { queueChars: 20, pieceChars: 10, stalledMs: 100 };

describe('a patient writer', () => {
  it('is busy while unread text is queued', async () => {
    const { stream, take } = openSlowReader();
    const writer = openQueuedWriter(stream, patience);
    expect(writer.isBusy).toBe(false);
    writer.write('one\n');
    expect(writer.isBusy).toBe(true);
    take();
    await expect.poll(() => writer.isBusy).toBe(false);
  });

  it('writes at once when the reader is ready', async () => {
    const read: string[] = [];
    const stream = new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        read.push(text);
        done();
      },
    });
    const writer = openQueuedWriter(stream, patience);
    writer.write('one\n');
    expect(read).toEqual(['one\n']);
    writer.write('two\n');
    await writer.close();
    expect(writer.isBusy).toBe(false);
    expect(read.join('')).toBe('one\ntwo\n');
  });

  it('keeps the order, and writes queued text together', async () => {
    const { stream, read, take } = openSlowReader();
    const writer = openQueuedWriter(stream, patience);
    for (const text of ['a\n', 'b\n', 'c\n', '123456789\n', 'd\n']) writer.write(text);
    const closed = writer.close();
    for (let piece = 0; piece < 3; piece += 1) {
      take();
      await new Promise(setImmediate);
    }
    await closed;
    expect(read).toEqual(['a\n', 'b\nc\n123456789\n', 'd\n']);
  });

  it('drops and counts the oldest text when the queue is full, and keeps the end', async () => {
    const { stream, read, take } = openSlowReader();
    const writer = openQueuedWriter(stream, patience);
    for (let index = 10; index < 60; index += 1) writer.write(`line\n${index}\n`);
    const last = 'the summary, longer than all that may wait\n';
    writer.write(last);
    take();
    await new Promise(setImmediate);
    take();
    expect(read).toEqual(['line\n10\n', `... 98 lines not shown: nobody was reading.\n${last}`]);
  });

  it('does not wait at its end for a reader that takes nothing', async () => {
    const { stream, read } = openSlowReader();
    const writer = openQueuedWriter(stream, patience);
    writer.write('one\n');
    await writer.close();
    expect(read).toEqual([]);
  });

  it('continues when the reader is gone', async () => {
    const stream = new Writable({ write: (_text, _encoding, done) => done(new Error('EPIPE')) }).on('error', () => undefined);
    const writer = openQueuedWriter(stream, patience);
    for (let index = 0; index < 100; index += 1) writer.write('lost\n');
    await writer.close();
    writer.write('lost\n');
    await writer.close();
  });
});
