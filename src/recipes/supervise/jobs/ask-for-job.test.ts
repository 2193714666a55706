import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { until } from '../../../../test/support/until.ts';
import type { JobOptions } from '../start/root-request.ts';
import { askForJob } from './ask-for-job.ts';
import { withAgentDefaults } from './job-defaults.ts';

const wish: JobOptions = {
  workIn: null,
  root: null,
  project: null,
  task: null,
  agent: null,
  command: [],
  agentKind: null,
  model: null,
  autonomy: null,
  prompt: { from: 'text', text: 'Do it.' },
  checks: [],
  requireProof: false,
  idleMs: null,
  runMs: null,
  env: {},
  parent: null,
  run: null,
  waitTimeoutMs: null,
  killChildren: false,
};

let folder: ThrowAwayFolder;
beforeEach(async () => {
  folder = await openThrowAwayFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

function agentIn(socket: string) {
  const env = { RALPH_SOCKET: socket, RALPH_TASK_FOLDER: '/tasks/p/t', RALPH_PROJECT_ID: 'p', RALPH_TASK_ID: 't', RALPH_RUN_ID: 'r' };
  return { cwd: folder.path, env };
}

/** A loop that gives the same answer to everything, and records the requests. */
async function openLoop(status: number, body: unknown) {
  const socket = join(folder.path, 'run.sock');
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((question) => {
      asked.push(question);
      if (status === 0) request.socket.destroy();
      else response.writeHead(status).end(JSON.stringify(body));
    });
  }).listen(socket);
  await until('it listens', () => existsSync(socket));
  return { asked, place: agentIn(socket), [Symbol.dispose]: () => void server.close() };
}

const STARTED = { run: 'c', run_folder: '/tasks/p/t/runs/c', log: '/log' };

describe('an agent that asks for a job', () => {
  it('asks its loop, in the name of its run, for its own task', async () => {
    using loop = await openLoop(201, STARTED);
    expect(await askForJob(wish, loop.place)).toEqual({ run: 'c', runFolder: '/tasks/p/t/runs/c', socket: loop.place.env.RALPH_SOCKET });
    expect(loop.asked).toEqual([{ parent: 'r', task: 't', agent: null, model: null, checks: [], cwd: null, idle_ms: null, run_ms: null, prompt: 'Do it.' }]);
  });

  it('may name another task and parent, a command, a directory and a file', async () => {
    using loop = await openLoop(202, STARTED);
    writeFileSync(join(folder.path, 'prompt.md'), 'From a file.');
    const other = { task: 'other', parent: 'x', command: ['sh', '-c', 'echo "$HOME"'], workIn: 'sub', prompt: { from: 'file' as const, path: 'prompt.md' } };
    await askForJob({ ...wish, ...other, root: '/tasks', project: 'p' }, loop.place);
    expect(loop.asked).toMatchObject([{ parent: 'x', task: 'other', agent: `sh -c 'echo "$HOME"'`, cwd: join(folder.path, 'sub'), prompt: 'From a file.' }]);
  });

  it('learns why its job is refused', async () => {
    using loop = await openLoop(409, { error: 'no such agent' });
    await expect(askForJob(wish, loop.place)).rejects.toMatchObject({ message: 'the job was not started: no such agent', exitCode: 4 });
  });

  it('rejects an answer that it does not know', async () => {
    using loop = await openLoop(201, { hello: 'there' });
    await expect(askForJob(wish, loop.place)).rejects.toMatchObject({ message: 'the job was not started: the loop answered with status 201' });
  });

  it('does not confuse a loop that died during the request with a missing loop', async () => {
    using loop = await openLoop(0, null);
    await expect(askForJob(wish, loop.place)).rejects.toMatchObject({ code: 'job-refused' });
  });

  it.each([
    ['--env', { env: { A: 'b' } }],
    ['--autonomy', { autonomy: 'ask' }],
    ['--agent-kind', { agentKind: 'codex' }],
    ['--wait-timeout', { waitTimeoutMs: 1 }],
    ['--kill-children', { killChildren: true }],
    ['--require-proof', { requireProof: true }],
  ] as const)('cannot use %s, which its loop does not support', async (flag, over) => {
    using loop = await openLoop(201, STARTED);
    await expect(askForJob({ ...wish, ...over }, loop.place)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(flag) });
    expect(loop.asked).toEqual([]);
  });
});

describe('a job runs in the calling process', () => {
  it('only when there is no loop with jobs behind the socket', async () => {
    using loop = await openLoop(404, { error: 'this run has no task folder' });
    expect(await askForJob(wish, loop.place)).toBeNull();
    expect(await askForJob(wish, agentIn(join(folder.path, 'nobody.sock')))).toBeNull();
    expect(await askForJob(wish, { cwd: folder.path, env: {} })).toBeNull();
  });

  it('when a loop started it for this, or when it names another project or root', async () => {
    using loop = await openLoop(201, STARTED);
    for (const over of [{ run: 'c' }, { project: 'q' }, { root: '/elsewhere' }]) expect(await askForJob({ ...wish, ...over }, loop.place)).toBeNull();
    expect(loop.asked).toEqual([]);
  });
});

describe('the request for a job', () => {
  const place = { cwd: '/here', env: { RALPH_TASK_FOLDER: '/tasks/p/t', RALPH_PROJECT_ID: 'p', RALPH_TASK_ID: 't', RALPH_RUN_ID: 'r' } };

  it('defaults to the project, task and run of the agent', () => {
    expect(withAgentDefaults(wish, place)).toMatchObject({ root: '/tasks', project: 'p', task: 't', parent: 'r' });
  });

  it('keeps the values that were given', () => {
    expect(withAgentDefaults({ ...wish, task: 'u', parent: 'x' }, place)).toMatchObject({ root: '/tasks', project: 'p', task: 'u', parent: 'x' });
  });

  it('is not mixed with the task of another project', () => {
    expect(withAgentDefaults({ ...wish, project: 'q' }, place)).toMatchObject({ root: null, project: 'q', task: null, parent: 'r' });
  });

  it.each([
    ['run', '../../../../evil'],
    ['run', 'a..b'],
    ['run', ''],
    ['parent', '\u001b[31mX\nfake'],
    ['parent', 'a/b'],
    ['parent', 'x'.repeat(201)],
  ] as const)('is refused in one line when its %s is not a run id: %j', (what, id) => {
    const refused = { code: 'usage', exitCode: 2, message: expect.stringMatching(/^"[\x20-\x7e]*" is no run id$/) };
    expect(() => withAgentDefaults({ ...wish, [what]: id }, place)).toThrow(expect.objectContaining(refused));
  });

  it('is unchanged outside any agent', () => {
    expect(withAgentDefaults(wish, { cwd: '/here', env: {} })).toEqual(wish);
  });
});
