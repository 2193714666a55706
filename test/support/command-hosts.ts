import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The socket where a worker finds its host. */
export const HOSTS = 'RALPH_TEST_HOSTS';

const HOST = fileURLToPath(new URL('./command-host.mjs', import.meta.url));

/**
 * Called by vitest. Gives each worker that connects a process of its own, in which the worker runs commands of the program. The process is small: a command starts many
 * others, and for each the kernel copies the tables of all memory of the process that starts it.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-hosts-'));
  const ended: Promise<unknown>[] = [];
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const host = fork(HOST, { execArgv: ['--max-semi-space-size=2'] });
    ended.push(once(host, 'exit'));
    host.once('message', () => host.send('yours', socket));
  });
  server.listen(join(folder, 'hosts'));
  await once(server, 'listening');
  process.env[HOSTS] = join(folder, 'hosts');
  return async () => {
    // Hosts end with their workers, and are waited for, because their processor time is that of the tests.
    server.close();
    await Promise.all(ended);
    await rm(folder, { recursive: true, force: true });
  };
}
