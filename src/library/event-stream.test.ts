import { describe, expect, it } from 'vitest';
import { openEventStream } from './event-stream.ts';
import type { LoopEvent } from './loop-event.ts';

const opened = (iteration: number): LoopEvent => ({ type: 'iteration.started', iteration });
const said = (text: string): LoopEvent => ({ type: 'agent', iteration: 1, event: { type: 'message', text } });

async function all(events: AsyncIterable<LoopEvent>): Promise<LoopEvent[]> {
  const read: LoopEvent[] = [];
  for await (const event of events) read.push(event);
  return read;
}

describe('a stream of events', () => {
  it('delivers all events in order, also those from before the reader asked', async () => {
    const stream = openEventStream();
    const reading = all(stream);
    stream.tell(opened(1));
    stream.tell(opened(2));
    stream.end();
    expect(await reading).toEqual([opened(1), opened(2)]);
  });

  it('waits for new events', async () => {
    const stream = openEventStream();
    const reader = stream[Symbol.asyncIterator]();
    const next = reader.next();
    setImmediate(() => stream.tell(opened(1)));
    expect(await next).toEqual({ done: false, value: opened(1) });
    setImmediate(() => stream.end());
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it('delivers the same events to several readers', async () => {
    const stream = openEventStream();
    const reading = [all(stream), all(stream)];
    stream.tell(opened(1));
    stream.end();
    expect(await Promise.all(reading)).toEqual([[opened(1)], [opened(1)]]);
  });

  it('delivers nothing to a reader that starts after the end', async () => {
    const stream = openEventStream();
    stream.tell(opened(1));
    stream.end();
    expect(await all(stream)).toEqual([]);
  });

  it('throws the error after all events before it', async () => {
    const stream = openEventStream();
    const reader = stream[Symbol.asyncIterator]();
    stream.tell(opened(1));
    stream.end(new Error('it broke'));
    expect(await reader.next()).toEqual({ done: false, value: opened(1) });
    await expect(reader.next()).rejects.toThrow('it broke');
  });

  it('keeps no events for a reader that has left', async () => {
    const stream = openEventStream();
    const reader = stream[Symbol.asyncIterator]();
    stream.tell(opened(1));
    await reader.next();
    await reader.return?.();
    stream.tell(opened(2));
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it('drops agent events first for a slow reader, and reports how many', async () => {
    const stream = openEventStream(3);
    const reading = stream[Symbol.asyncIterator]();
    for (const event of [opened(1), said('a'), said('b'), said('c'), opened(2)]) stream.tell(event);
    stream.end();
    const read = await all({ [Symbol.asyncIterator]: () => reading });
    expect(read).toEqual([{ type: 'events.dropped', count: 2 }, opened(1), said('c'), opened(2)]);
  });

  it('stays within its limit even without agent events to drop', async () => {
    const stream = openEventStream(2);
    const reading = stream[Symbol.asyncIterator]();
    for (let iteration = 1; iteration <= 10_000; iteration += 1) stream.tell(opened(iteration));
    stream.end();
    expect(await all({ [Symbol.asyncIterator]: () => reading })).toEqual([{ type: 'events.dropped', count: 9_998 }, opened(9_999), opened(10_000)]);
  });
});
