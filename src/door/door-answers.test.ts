import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { emptyState } from '../journal/state/state.ts';
import { openFileBus } from '../people/bus/file-bus.ts';
import { openDoor } from './door.ts';
import type { SupervisorDoor } from './door-context.ts';

const MB = 1024 * 1024;

let folder: ThrowAwayFolder;
let socketPath = '';
let close: () => Promise<void>;
beforeEach(async () => {
  folder = await openThrowAwayFolder();
  await mkdir(join(folder.path, 'door'), { mode: 0o700 });
  socketPath = join(folder.path, 'door', 'a.sock');
  const door = openDoor(
    socketPath,
    () => 5_000,
    rooms(),
  )(
    async () => true,
    () => emptyState,
  );
  close = async () => await door[Symbol.asyncDispose]();
  await until('it is open', () => existsSync(socketPath));
});
afterEach(async () => {
  await close();
  await folder[Symbol.asyncDispose]();
});

const bus = () => openFileBus(join(folder.path, 'TASK-MESSAGE-BUS.md'));

function rooms(): SupervisorDoor {
  return {
    project: 'p',
    task: 't',
    supervision: { taskBus: bus(), projectBus: bus() },
    newRunId: () => 'child-1',
    runFolderOf: (run) => `/runs/${run}`,
    logOf: (run) => `/log/${run}`,
    statusOf: async () => ({ bytes: 12n }),
  };
}

async function get(path: string): Promise<{ status: number; body: { error?: string; messages?: readonly { readonly body: string }[] } }> {
  const asking = request({ socketPath, path, agent: false }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: (await json(response)) as object };
}

const post = (body: string) => bus().post({ type: 'FACT', project_id: 'p', body });

describe('an answer of the door', () => {
  it('that is not JSON is an error for its caller, and for nobody else', async () => {
    expect(await get('/v1/jobs/child-1')).toMatchObject({ status: 500, body: { error: expect.stringContaining('BigInt') } });
    expect((await get('/v1/status')).status).toBe(200);
  });

  it('contains only as many of the last messages as fit', async () => {
    for (let n = 0; n < 9; n += 1) await post(`${n} ${'x'.repeat(MB)}`);
    const { status, body } = await get('/v1/bus?tail=9');
    expect([status, body.messages?.map((message) => message.body[0])]).toEqual([200, ['6', '7', '8']]);
  });

  it('names a message that is too large by itself, without its body', async () => {
    await post('x'.repeat(5 * MB));
    await post('small');
    expect((await get('/v1/bus?tail=9')).body.messages).toMatchObject([{ body: '', body_left_out: 5 * MB }, { body: 'small' }]);
  });

  it('is a refusal when more messages came after the given one than fit', async () => {
    const id = await post('first');
    for (let n = 0; n < 5; n += 1) await post('x'.repeat(MB));
    const { status, body } = await get(`/v1/bus?since=${id}`);
    expect([status, body.error]).toEqual([413, expect.stringMatching(/^more than 4194304 bytes have come since; read them in .*TASK-MESSAGE-BUS\.md$/)]);
  });
});
