import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asTheUser, freePort, PASSWORD, type TestServer, USER, whyNoPostgres } from './postgres.ts';
import { until } from './until.ts';

/** Null: there is one. */
export function whyNoPooler(): string | null {
  const none = spawnSync('pgbouncer', ['--version']).status === 0 ? null : 'the store behind a pooler: there is no pgbouncer here';
  return whyNoPostgres() ?? none;
}

/** The same server behind a PgBouncer in transaction mode: the databases that it makes are reached through that. */
export async function openPooler(server: TestServer): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const users = join(folder, 'users');
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${USER}" "${PASSWORD}"\n`);
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 3
`,
  );
  chmodSync(folder, 0o755);
  const [file, args] = asTheUser('pgbouncer', [config]);
  const pooler = spawn(file, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  pooler.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until('pgbouncer listens', () => {
    if (pooler.exitCode !== null) throw new Error(`pgbouncer has ended:\n${said}`);
    return answers(port);
  });
  return {
    ...server,
    port,
    async database() {
      const url = new URL(await server.database());
      url.port = `${port}`;
      return url.href;
    },
    async [Symbol.asyncDispose]() {
      if (pooler.exitCode === null) {
        pooler.kill('SIGKILL');
        await once(pooler, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
