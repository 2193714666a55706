import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from './bubblewrap.ts';
import { processesOf } from './processes-of.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';

const BUBBLEWRAP = 'bwrap';
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** What a wall does with the sockets it finds on the machine: those of every other test too. */
async function startBehindAWall(hidden: string, ...command: readonly string[]): Promise<number> {
  const args = ['--unshare-pid', '--die-with-parent', '--ro-bind', '/', '/', '--dev-bind', '/dev/null', hidden, '--', ...command];
  const child = spawn(BUBBLEWRAP, args, { cwd: '/', env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? Number.NaN;
}

describe.skipIf(bubblewrapIsMissing())('the processes of a folder', () => {
  it('are not those of a neighbour, whose wall only hides a socket of that folder', async () => {
    await using folder = await openThrowAwayFolder();
    const socket = join(folder.path, 'agent.sock');
    const server = createServer().listen(socket);
    await once(server, 'listening');
    const stranger = await startBehindAWall(socket, 'sh', '-c', 'echo up; exec sleep 600');
    const found = processesOf(folder.path);
    const ours = await startBehindAWall(socket, 'sh', '-c', 'echo up; exec sleep 600', folder.path);
    const foundThen = processesOf(folder.path).map(({ pid }) => pid);
    server.close();

    expect(readFileSync(`/proc/${stranger}/cmdline`, 'utf8')).toContain(folder.path);
    expect(found).toEqual([]);
    expect(foundThen).toContain(ours);
    expect(foundThen).not.toContain(stranger);
  });
});
