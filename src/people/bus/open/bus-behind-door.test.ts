import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { openFileBus } from '../file-bus.ts';
import { openBus } from './open-bus.ts';

let folder: ThrowAwayFolder;
let path = '';
let socket = '';
let count = 0;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
beforeEach(() => {
  count += 1;
  path = join(folder.path, `TASK-${count}.md`);
  socket = join(folder.path, `run-${count}.sock`);
});
afterAll(() => folder[Symbol.asyncDispose]());

const env = () => ({ RALPH_MESSAGE_BUS: path, RALPH_RUN_ID: `run-${count}`, RALPH_SOCKET: socket });
const note = { type: 'INFO', project_id: 'demo', body: 'x' };
const message = { ...note, msg_id: 'MSG-door', ts: '2026-01-01T00:00:00Z' };

/** A loop that gives every request the same answer, and the requests it got. */
async function doorThat(answers: RequestListener): Promise<{ readonly asked: unknown[] } & AsyncDisposable> {
  const asked: unknown[] = [];
  const answer = async (...[request, response]: Parameters<RequestListener>) => {
    asked.push(request.method === 'POST' ? await json(request) : request.url);
    answers(request, response);
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(socket), 'listening');
  return { asked, [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')) };
}

const answering =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(JSON.stringify(body));

describe("an agent's own bus", () => {
  it('is written and read by its loop', async () => {
    await using door = await doorThat((request, response) =>
      answering(request.method === 'POST' ? 201 : 200, { msg_id: 'MSG-door', messages: [message] })(request, response),
    );
    const bus = openBus({ path, by: 'environment' }, { env: env() });
    expect([await bus.post(note), await bus.last(3), await bus.since('MSG-0')]).toEqual(['MSG-door', [message], [message]]);
    expect(door.asked).toEqual([{ ...note, bus: 'task' }, '/v1/bus?bus=task&tail=3', '/v1/bus?bus=task&since=MSG-0']);
    expect(await openFileBus(path).last(9)).toEqual([]);
  });

  it('has no message that its loop does not know', async () => {
    await using _ = await doorThat(answering(404, { error: 'since id MSG-0 not found' }));
    expect(await openBus({ path, by: 'environment' }, { env: env() }).since('MSG-0')).toBeNull();
  });

  it.each<readonly [string, RequestListener | null]>([
    ['nobody is behind the door', null],
    ['the loop refuses', answering(404, { error: 'this run has no task folder' })],
    ['the loop fails', answering(500, { error: 'the bus is a link' })],
    ['the loop goes away in the middle', (request) => void request.socket.destroy()],
    ['something else is behind the door', (_request, response) => void response.end('hello')],
    ['the answer makes no sense', answering(200, { messages: 7 })],
  ])('is read from its file when %s', async (_, answers) => {
    await using _door = answers === null ? undefined : await doorThat(answers);
    const bus = openBus({ path, by: 'environment' }, { env: env() });
    const id = await bus.post(note);
    expect([await bus.last(3), await bus.since(id)]).toMatchObject([[{ msg_id: id, body: 'x' }], []]);
    expect(await openFileBus(path).last(9)).toHaveLength(1);
  });

  it('is read from its file when there is more than its loop can return at once', async () => {
    await using _ = await doorThat(answering(413, { error: 'more than 4194304 bytes have come since' }));
    const file = openFileBus(path);
    const [first, last] = [await file.post(note), await file.post(note)];
    expect(await openBus({ path, by: 'environment' }, { env: env() }).since(first)).toMatchObject([{ msg_id: last }]);
  });

  it.each([
    ['tells fewer than were asked for', [message]],
    ['leaves out what is too large', [message, { ...message, body: '', body_left_out: 5_000_000 }]],
  ])('is read from its file when its loop %s, and the file has more', async (_name, messages) => {
    await using _ = await doorThat(answering(200, { messages }));
    const file = openFileBus(path);
    const ids = [await file.post(note), await file.post(note)];
    expect((await openBus({ path, by: 'environment' }, { env: env() }).last(2)).map(({ msg_id }) => msg_id)).toEqual(ids);
  });

  it('takes bytes that are not UTF-8, without using the door', async () => {
    await using door = await doorThat(answering(201, { msg_id: 'MSG-door' }));
    await openBus({ path, by: 'environment' }, { env: env() }).post({ ...note, body_base64: '/w==' });
    expect(door.asked).toEqual([]);
    expect(await openFileBus(path).last(9)).toMatchObject([{ body_base64: '/w==' }]);
  });
});

describe('any other bus', () => {
  it('is read from its file, also when an agent named it', async () => {
    await using door = await doorThat(answering(201, { msg_id: 'MSG-door' }));
    await openBus({ path, by: 'flags' }, { env: env() }).post(note);
    expect(door.asked).toEqual([]);
  });

  it('is read from its file when the door belongs to another loop, which has other buses', async () => {
    await using door = await doorThat(answering(201, { msg_id: 'MSG-door' }));
    await openBus({ path, by: 'environment' }, { env: { ...env(), RALPH_RUN_ID: 'child' } }).post(note);
    expect(door.asked).toEqual([]);
    expect(await openFileBus(path).last(9)).toHaveLength(1);
  });
});
