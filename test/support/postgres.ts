import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A real server with a folder, a port and a password of its own, on loopback alone. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** Makes an empty database, and resolves with its address. */
  database(): Promise<string>;
  /** As the owner of everything. */
  ask(url: string, sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Without waiting for anybody: what was not on the disk is recovered at the next start. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

export const USER = 'ralph';
export const PASSWORD = 'open sesame/42';

const DEBIAN = '/usr/lib/postgresql';

/** On PATH, or where Debian has them, which is not on PATH. */
function programOf(name: 'initdb' | 'postgres'): string {
  if (spawnSync(name, ['--version']).status === 0) return name;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((one, other) => Number(other) - Number(one)) : [];
  return versions.map((version) => join(DEBIAN, version, 'bin', name)).find((file) => existsSync(file)) ?? name;
}

/** Null: there is one. */
export function whyNoPostgres(): string | null {
  const missing = (['initdb', 'postgres'] as const).filter((name) => spawnSync(programOf(name), ['--version']).status !== 0);
  if (missing.length > 0) return `the store in PostgreSQL: there is no ${missing.join(' and no ')} here`;
  return asUser().length === 0 && process.getuid?.() === 0 ? 'the store in PostgreSQL: it does not run as root, and there is no other user here' : null;
}

/** The server refuses to run as root. */
function asUser(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const name = ['postgres', 'nobody'].find((user) => spawnSync('id', [user]).status === 0);
  return name === undefined ? [] : ['setpriv', `--reuid=${name}`, '--clear-groups'];
}

export function asTheUser(file: string, args: readonly string[]): readonly [string, string[]] {
  const [first = file, ...before] = [...asUser(), file];
  return [first, [...before, ...args]];
}

export async function openPostgres(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pg-'));
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  writeFileSync(secret, PASSWORD);
  chmodSync(secret, 0o644);
  if (process.getuid?.() === 0)
    execFileSync('chown', [
      execFileSync('id', ['-u', asUser()[1]?.replace('--reuid=', '') ?? 'nobody'])
        .toString()
        .trim(),
      folder,
    ]);
  const [file, args] = asTheUser(programOf('initdb'), [
    '-D',
    data,
    '-U',
    USER,
    '-A',
    'scram-sha-256',
    `--pwfile=${secret}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ]);
  execFileSync(file, args, { stdio: 'pipe', cwd: folder });
  const port = await freePort();
  const address = (name: string) => `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${name}`;
  let server: ChildProcess | null = null;
  let count = 0;
  const log = join(folder, 'log');

  const start = async () => {
    const [command, words] = asTheUser(programOf('postgres'), [
      ...['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', folder],
      ...['fsync=off', 'max_connections=60', 'shared_buffers=16MB'].flatMap((setting) => ['-c', setting]),
    ]);
    server = spawn(command, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    const ended = once(server, 'exit').then(() => {
      throw new Error(`postgres has ended:\n${said}`);
    });
    const ready = new Promise<void>((resolve) => {
      server?.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('ready to accept connections')) resolve();
      });
    });
    await Promise.race([ready, ended]);
    ended.catch(() => undefined);
    writeFileSync(log, said);
  };
  const stop = async (signal: 'SIGQUIT' | 'SIGINT') => {
    if (server === null || server.exitCode !== null) return;
    // setpriv becomes the server itself, and so does its pid.
    const [gone] = [once(server, 'exit'), process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), signal)];
    await gone;
  };
  const ask = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };

  await start();
  return {
    port,
    ask,
    async database() {
      count += 1;
      await ask(address('postgres'), `create database test_${count}`);
      return address(`test_${count}`);
    },
    crash: () => stop('SIGQUIT'),
    start,
    async [Symbol.asyncDispose]() {
      await stop('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
