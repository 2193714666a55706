import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { given, runStarted } from '../../test/support/given.ts';
import { testSettings } from '../../test/support/run-settings.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import type { Bus } from '../engine/ports/supervision.ts';
import type { ChildRequest } from '../journal/effects/task-effect.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import type { BusMessage, NewBusMessage } from '../journal/messages.ts';
import { emptyState, type RunState } from '../journal/state/state.ts';
import { openDoor } from './door.ts';
import type { SupervisorDoor } from './door-context.ts';

/** A loop that answers requests as `answering` says. */
interface Loop {
  readonly path: string;
  readonly told: EventBody[];
  readonly posted: NewBusMessage[];
  state: RunState;
  answering: (child: ChildRequest) => void;
  close(): Promise<void>;
}

let folder: ThrowAwayFolder;
let loop: Loop;
beforeEach(async () => {
  folder = await openThrowAwayFolder();
  loop = await openLoop('with rooms');
});
afterEach(async () => {
  await loop.close();
  await folder[Symbol.asyncDispose]();
});

async function openLoop(kind: 'with rooms' | 'without'): Promise<Loop> {
  const path = join(folder.path, `${kind === 'without' ? 'a' : 'b'}.sock`);
  const told: EventBody[] = [];
  const posted: NewBusMessage[] = [];
  const open: Loop = {
    path,
    told,
    posted,
    state: given(runStarted(testSettings())).reduce(evolve, emptyState),
    answering: ({ run }) => starts(run),
    close: async () => await door[Symbol.asyncDispose](),
  };
  const tell = async (event: EventBody) => {
    told.push(event);
    if (event.type === 'child.asked') open.answering(event.child);
    return open.state.stopped === null;
  };
  const door = openDoor(path, () => 5_000, kind === 'without' ? null : roomsWith(posted))(tell, () => open.state);
  await until('it is open', () => existsSync(path));
  return open;
}

function roomsWith(posted: NewBusMessage[]): SupervisorDoor {
  const message: BusMessage = { msg_id: 'MSG-1', ts: '2026-01-01T00:00:00Z', type: 'FACT', project_id: 'p', body: 'hello' };
  const bus = (name: string): Bus => ({
    path: `/${name}`,
    async post(each) {
      if (each.body === 'break') throw new Error('the bus is a link');
      posted.push(each);
      return `MSG-${name}`;
    },
    last: async (count) => Array.from({ length: Math.min(count, 3) }, () => message),
    since: async (id) => (id === 'MSG-0' ? [message] : null),
    bytesSince: async (id) => (id === 'MSG-0' ? 5 : null),
  });
  return {
    project: 'p',
    task: 't',
    supervision: { taskBus: bus('task'), projectBus: bus('project') },
    newRunId: () => 'child-1',
    runFolderOf: (run, task) => `/tasks/${task ?? 't'}/runs/${run}`,
    logOf: (run) => `/log/${run}`,
    statusOf: async (run) => (run === 'child-1' ? { run, status: 'running', exit_code: null } : null),
  };
}

function starts(run: string): void {
  loop.state = { ...loop.state, children: { ...loop.state.children, started: [run] } };
}

async function ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const asking = request({ socketPath: loop.path, method, path });
  // The connection may be cut after the answer, while its last bytes are still on their way.
  asking.on('socket', (socket) => socket.on('error', () => undefined));
  asking.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await json(response) };
}

/** Sends raw bytes and returns the answer. */
async function say(bytes: string): Promise<string> {
  // The door may answer before everything is sent.
  const socket = connect(loop.path).on('error', () => undefined);
  socket.write(bytes);
  return await text(socket);
}

const plain: ChildRequest = { run: 'a', parent: 'r', task: null, agent: null, model: null, checks: [], cwd: null, idle_ms: null, run_ms: null, prompt: '' };

describe('a request for a job', () => {
  it("is journaled first, and answered with the job's place once it has registered", async () => {
    loop.answering = ({ run }) => setTimeout(() => starts(run), 100);
    expect(await ask('POST', '/v1/jobs', { prompt: 'Do it.', checks: ['npm test'] })).toEqual({
      status: 201,
      body: { run: 'child-1', run_folder: '/tasks/t/runs/child-1', log: '/log/child-1' },
    });
    expect(loop.told).toEqual([
      {
        type: 'child.asked',
        child: { ...plain, run: 'child-1', checks: ['npm test'], prompt: 'Do it.' },
      },
    ]);
  });

  it('may come from a child, with another task, agent, model and folder', async () => {
    const job = { parent: 'child-0', task: 'other', agent: 'codex', model: 'm', cwd: '/somewhere', prompt: '' };
    expect(await ask('POST', '/v1/jobs', job)).toMatchObject({ status: 201, body: { run_folder: '/tasks/other/runs/child-1' } });
    expect(loop.told).toMatchObject([{ child: job }]);
  });

  it('is answered with the reason when it is refused', async () => {
    loop.answering = ({ run }) => {
      loop.state = { ...loop.state, children: { ...loop.state.children, refused: [{ run, why: 'no such agent' }] } };
    };
    expect(await ask('POST', '/v1/jobs', {})).toEqual({ status: 409, body: { error: 'no such agent' } });
    expect(await ask('GET', '/v1/jobs/child-1')).toMatchObject({ body: { status: 'refused', message: 'no such agent' } });
  });

  it('is refused by a run that is being stopped, also if the stop comes while it waits', async () => {
    loop.answering = () => {
      loop.state = { ...loop.state, leaving: { what: 'drain', by: 'SIGINT' } };
    };
    const refused = { status: 409, body: { error: 'this run is being stopped' } };
    expect(await ask('POST', '/v1/jobs', {})).toEqual(refused);
    expect(await ask('POST', '/v1/jobs', {})).toEqual(refused);
    expect(loop.told).toHaveLength(1);
  });

  it('is refused while too many others wait', async () => {
    loop.state = { ...loop.state, children: { ...loop.state.children, asked: Array.from({ length: 100 }, () => plain) } };
    expect(await ask('POST', '/v1/jobs', {})).toEqual({ status: 409, body: { error: '100 jobs are already waiting to start' } });
    expect(await ask('GET', '/v1/jobs/a')).toMatchObject({ status: 200, body: { status: 'asked' } });
  });

  it.each([
    ['a body that is no JSON', 'hello', 'the body is not JSON'],
    ['nothing at all', '', 'the body is not JSON'],
    ['a prompt that is no text', { prompt: 3 }, 'prompt: Invalid input: expected string, received number'],
    ['a flag nobody knows', { force: true }, 'Unrecognized key: "force"'],
    ['a task that leads out of the project', { task: '../x' }, 'task: is not a valid name: use letters, digits, dot, dash and underscore, at most 200'],
    ['a parent that is a flag', { parent: '--json' }, 'parent: is not a valid name: use letters, digits, dot, dash and underscore, at most 200'],
    ['a place that is not absolute', { cwd: 'here' }, 'cwd: must be an absolute path'],
  ])('gets one line about what is wrong with %s', async (_name, body, error) => {
    expect(await ask('POST', '/v1/jobs', body)).toEqual({ status: 400, body: { error } });
    expect(loop.told).toEqual([]);
  });

  it('is released when the door closes meanwhile', async () => {
    loop.answering = () => undefined;
    const asking = ask('POST', '/v1/jobs', {});
    await until('it waits', () => loop.told.length === 1);
    await Promise.all([expect(asking).rejects.toThrow(), loop.close()]);
  });
});

describe('a request for the status of a job', () => {
  it('is answered with its status', async () => {
    expect(await ask('GET', '/v1/jobs/child-1')).toEqual({ status: 200, body: { run: 'child-1', status: 'running', exit_code: null } });
  });

  it.each(['/v1/jobs/unknown', '/v1/jobs/', '/v1/jobs/..', '/v1/jobs/a%2Fb'])('is answered with "not found" at %s', async (path) => {
    expect((await ask('GET', path)).status).toBe(404);
  });
});

describe('the bus behind the door', () => {
  it('fills in project, task and run of a message', async () => {
    expect(await ask('POST', '/v1/bus', { type: 'FACT', body: 'done' })).toEqual({ status: 201, body: { msg_id: 'MSG-task' } });
    const other = { bus: 'project', type: 'INFO', body: 'x', run_id: 'child-9' };
    expect(await ask('POST', '/v1/bus', other)).toEqual({ status: 201, body: { msg_id: 'MSG-project' } });
    expect(loop.posted).toEqual([
      { type: 'FACT', body: 'done', project_id: 'p', task_id: 't', run_id: 'r' },
      { type: 'INFO', body: 'x', project_id: 'p', task_id: 't', run_id: 'child-9' },
    ]);
  });

  it('returns the last messages, or those after a given one', async () => {
    expect(await ask('GET', '/v1/bus?tail=2')).toMatchObject({ status: 200, body: { messages: [{ msg_id: 'MSG-1' }, { msg_id: 'MSG-1' }] } });
    expect(await ask('GET', '/v1/bus?bus=project&since=MSG-0')).toMatchObject({ status: 200, body: { messages: [{ msg_id: 'MSG-1' }] } });
    expect(await ask('GET', '/v1/bus?since=MSG-7')).toEqual({ status: 404, body: { error: 'since id MSG-7 not found' } });
    expect((await ask('GET', '/v1/bus?tail=0')).status).toBe(400);
  });

  it('reports an error, and the door goes on answering', async () => {
    expect(await ask('POST', '/v1/bus', { type: 'FACT', body: 'break' })).toEqual({ status: 500, body: { error: 'the bus is a link' } });
    expect((await ask('GET', '/v1/status')).status).toBe(200);
  });
});

describe('the door', () => {
  it('of a loop without a task folder has neither jobs nor a bus', async () => {
    await loop.close();
    loop = await openLoop('without');
    const error = 'this run has no task folder: jobs and messages are for `ralph supervise` and `ralph job`';
    for (const path of ['/v1/jobs', '/v1/bus']) expect(await ask('POST', path, {})).toEqual({ status: 404, body: { error } });
    expect(await ask('GET', '/v1/bus')).toEqual({ status: 404, body: { error } });
  });

  it('reads a body that is far too large to its end, stores none of it, and reports an error', async () => {
    const before = process.memoryUsage().rss;
    const huge = `{"prompt":"${'x'.repeat(40_000_000)}"}`;
    expect(await ask('POST', '/v1/jobs', huge)).toMatchObject({ status: 413 });
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
    expect(loop.told).toEqual([]);
  });

  it.each([
    ['what is no HTTP', 'hello\r\n\r\n'],
    ['a header without end', `GET / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['a body of two lengths', 'POST /v1/jobs HTTP/1.1\r\nhost: door\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
  ])('answers %s with an error', async (_name, bytes) => {
    expect(await say(bytes)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*\{"error":"bad request"\}\n$/);
    expect((await ask('GET', '/v1/status')).status).toBe(200);
  });

  it('closes a connection that sends its request too slowly', async () => {
    expect(await say('POST /v1/jobs HTTP/1.1\r\nhost: door\r\ncontent-le')).toMatch(/^HTTP\/1.1 408 /);
  });

  it('survives a client that disconnects in the middle', async () => {
    const socket = connect(loop.path);
    socket.write('POST /v1/jobs HTTP/1.1\r\nhost: door\r\ncontent-length: 100\r\n\r\n{"prompt":');
    await once(socket, 'connect');
    socket.destroy();
    expect((await ask('GET', '/v1/status')).status).toBe(200);
    expect(loop.told).toEqual([]);
  });
});
