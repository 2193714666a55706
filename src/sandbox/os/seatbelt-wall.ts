import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WallPort } from '../../engine/ports/wall.ts';
import type { HostPattern } from '../proxy/match-host.ts';
import { isLoopback } from '../proxy/match-host.ts';
import { openProxy } from '../proxy/open-proxy.ts';
import type { OsWallOptions } from './os-wall-options.ts';
import { SEATBELT, seatbeltProfile } from './seatbelt-profile.ts';
import { proxyVariables } from './wall-environment.ts';
import { wallRules } from './wall-rules.ts';

/** The wall of macOS. It hides and seals by rules instead of mounts, and has no process table of its own. Never run: there was no macOS to try it on. */
export async function openSeatbeltWall(options: OsWallOptions, hosts: readonly HostPattern[]): Promise<WallPort & AsyncDisposable> {
  const scratch = join(options.cacheFolder, 'tmp', randomUUID());
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const onRefused = (target: string) => options.onRefused({ what: 'network', target });
  const proxy = hosts.length === 0 ? null : await openProxy({ hosts, listenOn: 'loopback', upstream: options.upstream, onRefused });
  const proxyPort = proxy?.port ?? null;
  const loopbackPorts = hosts.flatMap(({ host, port }) => (typeof port === 'number' && isLoopback(host) ? [port] : []));
  return {
    mode: 'os',
    async enclose(call) {
      const { rules } = await wallRules(call, options, join(scratch, 'logins'));
      const profile = seatbeltProfile(rules, { scratch, proxyPort, loopbackPorts, sockets: options.sockets });
      const env = { ...call.env, TMPDIR: scratch, ...(proxyPort === null ? {} : proxyVariables(proxyPort)) };
      return { file: SEATBELT, args: ['-p', profile, call.file, ...call.args], cwd: call.cwd, env, askDepth: 0, async leave() {} };
    },
    async [Symbol.asyncDispose]() {
      await proxy?.[Symbol.asyncDispose]();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
