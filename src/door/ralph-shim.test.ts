import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { completionLines } from '../plans/command/task-flags.ts';
import { firstOnPath, writeRalphShim } from './ralph-shim.ts';

const SAY = 'process.stdout.write(JSON.stringify(process.argv.slice(2)));process.exitCode = 7;';

/** Runs the command by its name, as an agent's shell would. */
function callRalph(folder: string, ...args: readonly string[]): { readonly said: unknown; readonly code: unknown } {
  try {
    execFileSync('ralph', args, { env: { PATH: folder }, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, status } = error as { readonly stdout: string; readonly status: number };
    return { said: JSON.parse(stdout), code: status };
  }
  throw new Error('It exited with 0.');
}

/** A loop whose door gives every claim the same answer. */
async function openDoor(folder: string, status: number) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(status).end('{}');
    });
  });
  const socket = join(folder, 'door');
  await once(server.listen(socket), 'listening');
  return { socket, heard, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
}

/** Completes the task it was given, in the environment that the loop makes. */
async function complete(bin: string, id: string, socket: string, fence = '3') {
  const env = {
    PATH: firstOnPath(bin, process.env['PATH']),
    RALPH_TASK_ID: 'T-1',
    RALPH_TASK_FENCE: fence,
    RALPH_SOCKET: socket,
    http_proxy: 'http://127.0.0.1:1',
  };
  return await promisify(execFile)('ralph', ['task', 'complete', id], { env }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }: { stdout: string; code: number }) => ({ stdout, code }),
  );
}

describe("the agent's own `ralph` command", () => {
  it.each(['plain', 'with blanks', `it's "quoted" $HOME \`date\``, 'line\nbreak', 'äöü;&|*?'])(
    'is this program, also below a folder called %j',
    async (name) => {
      await using folder = await openThrowAwayFolder();
      const place = join(folder.path, name);
      await mkdir(place);
      const main = join(place, 'main.cjs');
      await writeFile(main, SAY);
      const bin = await writeRalphShim(place, main);
      const args = ['bus', 'post', '--body', `a "b" 'c' $d\n*`, ''];
      expect(callRalph(bin, ...args)).toEqual({ said: args, code: 7 });
    },
  );

  it('is for its owner only, and may be written again', async () => {
    await using folder = await openThrowAwayFolder();
    await writeRalphShim(folder.path);
    const bin = await writeRalphShim(folder.path);
    expect(bin).toBe(join(folder.path, 'bin'));
    expect((await stat(join(bin, 'ralph'))).mode & 0o777).toBe(0o700);
    expect((await stat(bin)).mode & 0o777).toBe(0o700);
  });

  it('replaces a file that somebody has put there, without writing through a link', async () => {
    await using folder = await openThrowAwayFolder();
    const main = join(folder.path, 'main.cjs');
    await writeFile(main, SAY);
    await mkdir(join(folder.path, 'bin'));
    await symlink(main, join(folder.path, 'bin', 'ralph'));
    expect(callRalph(await writeRalphShim(folder.path, main), 'x')).toEqual({ said: ['x'], code: 7 });
  });

  it('is refused in one line where its folder is a link', async () => {
    await using folder = await openThrowAwayFolder();
    await symlink('/', join(folder.path, 'bin'));
    await expect(writeRalphShim(folder.path)).rejects.toMatchObject({ name: 'OperatorError', exitCode: 4 });
  });
});

describe('a PATH with our folder first', () => {
  it.each([
    ['/usr/bin:/bin', '/ours:/usr/bin:/bin'],
    ['/usr/bin:/ours:/bin:/ours', '/ours:/usr/bin:/bin'],
    ['/ours', '/ours'],
    ['/ours/more:/bin', '/ours:/ours/more:/bin'],
    ['', '/ours:/usr/local/bin:/usr/bin:/bin'],
    [undefined, '/ours:/usr/local/bin:/usr/bin:/bin'],
  ])('turns %j into %j', (path, expected) => expect(firstOnPath('/ours', path)).toBe(expected));
});

describe("the agent's own `ralph task complete`", () => {
  async function openPlace(status: number) {
    const folder = await openThrowAwayFolder();
    const main = join(folder.path, 'main.cjs');
    await writeFile(main, SAY);
    return { folder, bin: await writeRalphShim(folder.path, main), door: await openDoor(folder.path, status) };
  }

  it('reports to its loop and starts nothing else', async () => {
    const { folder, bin, door } = await openPlace(202);
    await using _ = folder;
    await using __ = door;
    const stdout = `${completionLines('T-1', { kind: 'noted' }).join('\n')}\n`;
    expect(await complete(bin, 'T-1', door.socket)).toEqual({ stdout, code: 0 });
    expect(door.heard).toEqual(['POST /v1/tasks/T-1/complete {"n":3,"by":"its agent"}']);
  });

  it('starts ralph, which explains it, when the loop refuses the claim', async () => {
    const { folder, bin, door } = await openPlace(409);
    await using _ = folder;
    await using __ = door;
    expect(await complete(bin, 'T-1', door.socket)).toEqual({ stdout: '["task","complete","T-1"]', code: 7 });
  });

  it.each([
    ['another task', 'T-2', '3'],
    ['no number', 'T-1', ''],
    ['a number that is none', 'T-1', '3,"x":1'],
  ])('starts ralph with %s, and sends nothing to the loop', async (_what, id, fence) => {
    const { folder, bin, door } = await openPlace(202);
    await using _ = folder;
    await using __ = door;
    expect(await complete(bin, id, door.socket, fence)).toMatchObject({ code: 7 });
    expect(door.heard).toEqual([]);
  });

  it('starts ralph when no loop answers', async () => {
    const { folder, bin, door } = await openPlace(202);
    await using _ = folder;
    await using __ = door;
    expect(await complete(bin, 'T-1', join(folder.path, 'nobody'))).toMatchObject({ code: 7 });
  });
});
