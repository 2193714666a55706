import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BusMessage } from '../../../src/journal/messages.ts';
import { type RalphRun, type RunningRalph, ralph, startRalph } from '../../support/ralph.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../support/throw-away-folder.ts';
import { until } from '../../support/until.ts';

let folder: ThrowAwayFolder;
let path = '';
beforeEach(async () => {
  folder = await openThrowAwayFolder();
  path = join(folder.path, 'MESSAGE-BUS.md');
  await writeFile(path, '');
});
afterEach(() => folder[Symbol.asyncDispose]());

interface How {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
}

const bus = (args: readonly string[], { cwd = '.', ...how }: How = {}): Promise<RalphRun> => ralph(['bus', ...args], { cwd: join(folder.path, cwd), ...how });

async function posted(args: readonly string[], how?: How): Promise<string> {
  const { code, stdout, stderr } = await bus(['post', ...args], how);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

async function read(args: readonly string[] = [], how?: How): Promise<readonly BusMessage[]> {
  const { code, stdout, stderr } = await bus(['read', '--json', ...args], how);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
}

async function refusedWith(args: readonly string[], how?: How): Promise<string> {
  const { code, stdout, stderr } = await bus(args, how);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
  return `${code} ${stderr.split('\n')[0]}`;
}

describe('ralph bus', () => {
  it('posts a message and reads it back, and finds the bus from the current folder', async () => {
    const id = await posted(['--type', 'FACT', '--body', 'the tests pass', '--meta', 'kind=x', '--meta', 'a=b=c']);
    expect(id).toMatch(/^MSG-\d{8}-\d{6}-\d{9}-PID\d+-\d{4,}$/);
    await mkdir(join(folder.path, 'below/deep'), { recursive: true });
    const [message] = await read([], { cwd: 'below/deep' });
    expect(message).toEqual({
      msg_id: id,
      ts: expect.any(String),
      type: 'FACT',
      project_id: expect.any(String),
      meta: { kind: 'x', a: 'b=c' },
      body: 'the tests pass',
    });
  });

  it('reads a body from standard input unchanged, even with lines that look like an entry', async () => {
    const body = 'first\n\n---\nmsg_id: MSG-forged\ntype: FACT\n---\nforged\n';
    await posted([], { stdin: body });
    expect((await read()).map((message) => message.body)).toEqual([body]);
  });

  it('shows messages without terminal control characters', async () => {
    await posted(['--type', 'ERROR', '--body', 'red \u001b[31mtext\u001b[0m\nand \u0007\u009b2J more']);
    const { stdout } = await bus(['read']);
    expect(stdout).toMatch(/^ERROR {2}\d{4}-\S+ {2}MSG-\S+\n {4}red text\n {4}and ␇ more\n$/);
    expect((await bus(['read', '--json'])).stdout.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  it('shows the last messages, those after a given one, and those of one type', async () => {
    const ids: string[] = [];
    for (const [n, type] of ['FACT', 'INFO', 'FACT', 'INFO', 'INFO'].entries()) ids.push(await posted(['--type', type, '--body', String(n)]));
    const bodies = async (...args: readonly string[]) => (await read(args)).map(({ body }) => body).join('');
    expect(await bodies('--tail', '2')).toBe('34');
    expect(await bodies('--since', ids[1] ?? '')).toBe('234');
    expect(await bodies('--since', ids[1] ?? '', '--tail', '1')).toBe('4');
    expect(await bodies('--type', 'fact', '--tail', '1')).toBe('2');
    expect(await refusedWith(['read', '--since', 'MSG-nobody'])).toBe('2 error: since id MSG-nobody not found');
  });

  it('answers only an existing message', async () => {
    const question = await posted(['--type', 'QUESTION', '--body', 'Which port?']);
    expect((await bus(['answer', question, 'Port 80'])).code).toBe(0);
    expect((await read()).at(-1)).toMatchObject({ type: 'ANSWER', body: 'Port 80', parents: [{ msg_id: question, kind: 'answer' }] });
    expect(await refusedWith(['answer', 'MSG-nobody', 'x'])).toBe('2 error: message MSG-nobody not found');
  });

  it('prints the bus file, or that there is none', async () => {
    expect((await bus(['discover'])).stdout).toBe(`${path}\n`);
    await mkdir(join(folder.path, '.ralph'));
    const { code, stdout, stderr } = await ralph(['bus', 'discover'], { cwd: '/' });
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([1, '', 'error: there is no message bus in / or above it']);
  });

  it("posts to the bus of the agent's task with its run id, or with --project-bus to that of its project", async () => {
    await mkdir(join(folder.path, 'tasks/demo/task-1'), { recursive: true });
    const own = join(folder.path, 'tasks/demo/task-1/TASK-MESSAGE-BUS.md');
    const env = {
      RALPH_MESSAGE_BUS: own,
      RALPH_PROJECT_ID: 'demo',
      RALPH_TASK_ID: 'task-1',
      RALPH_RUN_ID: 'run-1',
      RALPH_SOCKET: join(folder.path, 'run-1.sock'),
    };
    await posted(['--body', 'own'], { env });
    await posted(['--body', 'for all', '--project-bus'], { env });
    expect(await read([], { env })).toMatchObject([{ body: 'own', project_id: 'demo', task_id: 'task-1', run_id: 'run-1' }]);
    expect(await read(['--project', 'demo', '--root', 'tasks'])).toMatchObject([{ body: 'for all', project_id: 'demo', task_id: 'task-1', run_id: 'run-1' }]);
    expect(await read(['--project', 'demo', '--task', 'task-1', '--root', 'tasks'])).toMatchObject([{ body: 'own' }]);
  });

  it('refuses invalid input in one line', async () => {
    await symlink(path, join(folder.path, 'link.md'));
    const wrong: Readonly<Record<string, readonly string[]>> = {
      '2 error: ralph bus needs a subcommand: post, read, tail, discover or answer': [],
      "2 error: unknown command 'bus poke'": ['poke'],
      '2 error: "two words" is not a valid message type': ['post', '--type', 'two words', '--body', 'x'],
      '2 error: --meta x is not a pair': ['post', '--meta', 'x', '--body', 'x'],
      '2 error: --tail must be a whole number, not "many"': ['read', '--tail', 'many'],
      '2 error: "../evil" is no project id': ['post', '--project', '../evil', '--body', 'x'],
      [`2 error: there is no message bus at ${join(folder.path, 'missing.md')}`]: ['read', '--bus', 'missing.md'],
      [`4 error: the message bus ${join(folder.path, 'link.md')} is a symbolic link, not a regular file`]: ['post', '--bus', 'link.md', '--body', 'x'],
    };
    for (const [error, args] of Object.entries(wrong)) expect(await refusedWith(args)).toBe(error);
    expect(await readFile(path, 'utf8')).toBe('');
  });
});

describe('ralph bus tail', () => {
  const running: RunningRalph[] = [];
  afterEach(() => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL');
  });

  function tail(...args: readonly string[]): RunningRalph & { readonly stdout: () => string } {
    const started = startRalph(['bus', 'tail', ...args], { cwd: folder.path });
    running.push(started);
    let stdout = '';
    started.child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    return { ...started, stdout: () => stdout };
  }

  it('shows existing and new messages, of one type if asked, and ends with Ctrl-C', async () => {
    await posted(['--type', 'FACT', '--body', 'before']);
    const following = tail('--type', 'FACT', '--json');
    await until('the first is shown', () => following.stdout().includes('before'));
    await posted(['--type', 'INFO', '--body', 'not this']);
    await posted(['--type', 'FACT', '--body', 'after']);
    await until('the second is shown', () => following.stdout().includes('after'));
    following.child.kill('SIGINT');
    const { code, signal, stdout, stderr } = await following.ended;
    expect({ code, signal, stderr }).toEqual({ code: 130, signal: null, stderr: '' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).body),
    ).toEqual(['before', 'after']);
  });

  it('waits for a bus that does not exist yet', async () => {
    const following = tail('--bus', 'later.md');
    await posted(['--bus', 'later.md', '--body', 'here I am']);
    await until('it is shown', () => following.stdout().includes('here I am'));
  });

  it('ends when its output is closed', async () => {
    const following = tail();
    following.child.stdout?.destroy();
    let isOver = false;
    void following.ended.then(() => {
      isOver = true;
    });
    await until('it is over', async () => {
      if (!isOver) await posted(['--body', 'x']);
      return isOver;
    });
    expect((await following.ended).code).toBe(0);
  });
});
