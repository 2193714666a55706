import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Enclosed, WallCall, WallPort } from '../../engine/ports/wall.ts';
import { launch } from './launcher-script.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { type HostPattern, isLoopback, parseHostPattern } from '../proxy/match-host.ts';
import { type OpenProxy, openProxy } from '../proxy/open-proxy.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { bubblewrapMounts } from './mount-plan.ts';
import type { OsWallOptions } from './os-wall-options.ts';
import { watchPlanted } from './planted.ts';
import { openSeatbeltWall } from './seatbelt-wall.ts';
import { wallEnvironment } from './wall-environment.ts';
import { wallRules } from './wall-rules.ts';
import { explainBubblewrap } from './why-no-os-wall.ts';

/** Inside, where nothing else listens unless somebody wants exactly this one. */
const PROXY_PORT = 17_170;
/** bubblewrap, its first process inside, and then the launcher. */
const LAUNCHER_DEPTH = 2;

/** A wall of namespaces around each process. Rejects with an OperatorError where it cannot be had. To be disposed when the run is over. */
export async function openOsWall(options: OsWallOptions): Promise<WallPort & AsyncDisposable> {
  const hosts = parseHosts(options.hosts);
  await mkdir(options.cacheFolder, { recursive: true, mode: 0o700 });
  if (process.platform === 'darwin') return await openSeatbeltWall(options, hosts);
  const found = process.platform === 'linux' ? await findBubblewrap() : null;
  if (found?.kind !== 'works') throw unavailable(found === null ? { why: 'it is for Linux and macOS', hint: 'Use docker.' } : explainBubblewrap(found));
  const copies = join(options.cacheFolder, 'logins', randomUUID());
  // Also where nothing is allowed: what was refused is worth knowing.
  const proxy = await openProxyFor(options, hosts);
  return {
    mode: 'os',
    enclose: (call) => enclose(call, { ...options, hosts, copies, bubblewrap: [found.file, ...found.args] }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await rm(copies, { recursive: true, force: true });
    },
  };
}

interface OpenWall extends Omit<OsWallOptions, 'hosts'> {
  readonly hosts: readonly HostPattern[];
  readonly copies: string;
  readonly bubblewrap: readonly [file: string, ...args: readonly string[]];
}

async function enclose(call: WallCall, wall: OpenWall): Promise<Enclosed> {
  const { rules, watched } = await wallRules(call, { ...wall, hosts: [], sockets: [...wall.sockets, wall.socketPath] }, wall.copies);
  const planted = await watchPlanted(watched, join(wall.cacheFolder, 'planted'));
  const [file, ...alone] = wall.bubblewrap;
  const task = { proxySocket: wall.socketPath, proxyPort: PROXY_PORT, loopback: loopbackOf(wall.hosts) };
  const surroundings = { agentKind: wall.agentKind, isRoot: process.getuid?.() === 0, proxyPort: PROXY_PORT };
  const { command, env } = launch(process.execPath, task, { command: [call.file, ...call.args], env: wallEnvironment(call, surroundings) });
  return {
    file,
    args: [...alone, ...bubblewrapMounts(rules), '--chdir', call.cwd, '--', ...command],
    cwd: call.cwd,
    env,
    askDepth: LAUNCHER_DEPTH,
    async leave() {
      for (const target of await planted.putBack()) wall.onRefused({ what: 'planted', target });
    },
  };
}

async function openProxyFor({ socketPath, upstream, onRefused }: OsWallOptions, hosts: readonly HostPattern[]): Promise<OpenProxy> {
  return await openProxy({ hosts, listenOn: { socket: socketPath }, upstream, onRefused: (target) => onRefused({ what: 'network', target }) });
}

function parseHosts(texts: readonly string[]): readonly HostPattern[] {
  return texts.map((text) => {
    const pattern = parseHostPattern(text);
    if (pattern !== null) return pattern;
    throw new OperatorError('settings', `"${text}" in sandbox.allowHosts is no host`, {
      hint: 'Write host, *.host or host:port, without https:// and without a path.',
      exitCode: 2,
    });
  });
}

/** A service on the host's loopback is found where a client inside expects it. */
function loopbackOf(hosts: readonly HostPattern[]): readonly { readonly host: string; readonly port: number }[] {
  return hosts.flatMap(({ host, port }) => (typeof port === 'number' && isLoopback(host) ? [{ host: host.includes(':') ? `[${host}]` : host, port }] : []));
}

function unavailable(missing: ReturnType<typeof explainBubblewrap>): OperatorError {
  return new OperatorError('sandbox-unavailable', `the sandbox "os" cannot be had: ${missing?.why ?? ''}`, { hint: missing?.hint ?? '', exitCode: 4 });
}
