import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SandboxCall, SandboxedCall, SandboxPort } from '../../engine/ports/sandbox.ts';
import { hasCode } from '../../kit/files/read.ts';
import { gitVariables } from '../../kit/pure/git-variables.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { namespaceReportFd } from '../../process/extra-streams.ts';
import { OWN_GIT } from '../environment/environment.ts';
import { type HostPattern, isLoopback, parseHostPattern } from '../proxy/match-host.ts';
import { type OpenProxy, openProxy } from '../proxy/open-proxy.ts';
import { dotsOf } from './home-rules.ts';
import { launch } from './launcher-script.ts';
import { bubblewrapMounts } from './mount-plan.ts';
import { type OsSandboxOptions, pathRules, type RulesOptions } from './path-rules.ts';
import { SEATBELT, seatbeltProfile } from './seatbelt-profile.ts';
import { explainBubblewrap, findBubblewrap } from './why-no-os-sandbox.ts';

/** The proxy's port inside. A conflict is unlikely: nothing uses this number by default. */
const PROXY_PORT = 17_170;
/** For what Ralph has to write when a process has filled the disk. */
const LEAST_FREE_BYTES = 100 * 1024 ** 2;
/** bubblewrap, its first process inside, and then the launcher. */
const LAUNCHER_DEPTH = 2;

/** Puts each process into its own namespaces. Rejects with an OperatorError where that is not possible. Must be disposed when the run is over. */
export async function openOsSandbox(options: OsSandboxOptions): Promise<SandboxPort & AsyncDisposable> {
  const hosts = parseHosts(options.hosts);
  await mkdir(options.cacheFolder, { recursive: true, mode: 0o700 });
  if (process.platform === 'darwin') return await openSeatbeltWall(options, hosts);
  const found = process.platform === 'linux' ? await findBubblewrap() : null;
  if (found?.kind !== 'works') throw unavailable(found === null ? { why: 'it is for Linux and macOS', hint: 'Use docker.' } : explainBubblewrap(found));
  const ofWall = join(options.cacheFolder, 'walls', randomUUID());
  const empty = join(ofWall, 'empty');
  await mkdir(empty, { recursive: true, mode: 0o700 });
  const lasting = { copies: join(ofWall, 'logins'), dots: dotsOf(options.home) };
  // The proxy runs even if no host is allowed, to report what was refused.
  const proxy = await openProxyFor(options, hosts);
  return {
    mode: 'os',
    enclose: (call) => enclose(call, { ...options, ...lasting, hosts, empty, bubblewrap: [found.file, ...found.args], filter: found.filter }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await rm(ofWall, { recursive: true, force: true });
    },
  };
}

interface OpenWall extends Omit<RulesOptions, 'hosts'> {
  readonly hosts: readonly HostPattern[];
  /** An empty folder. */
  readonly empty: string;
  readonly bubblewrap: readonly [file: string, ...args: readonly string[]];
  readonly filter: Uint8Array | null;
}

async function enclose(call: SandboxCall, wall: OpenWall): Promise<SandboxedCall> {
  const isOffline = call.isOffline || call.sealed !== undefined;
  const { rules, watched } = await pathRules(call, { ...wall, hosts: [], sockets: call.sealed ? [] : [...wall.sockets, wall.socketPath] });
  const planted = await watchPlanted(watched, join(wall.cacheFolder, 'planted'));
  const [file, ...alone] = wall.bubblewrap;
  const task = { proxySocket: wall.socketPath, proxyPort: PROXY_PORT, loopback: loopbackOf(wall.hosts) };
  const asked = { command: [call.file, ...call.args], env: environmentInside(call) };
  const { command, env } = isOffline ? asked : launch(process.execPath, task, asked);
  return {
    file,
    args: [...alone, ...bubblewrapMounts(rules, wall.empty), '--chdir', call.cwd, '--', ...command],
    cwd: call.cwd,
    env,
    stopDepth: isOffline ? LAUNCHER_DEPTH - 1 : LAUNCHER_DEPTH,
    namespaceArgs: ['--info-fd', String(namespaceReportFd)],
    uses: {
      ...wall.limits,
      leastFreeBytes: LEAST_FREE_BYTES,
      disk: call.ownFolder?.folder ?? call.cwd,
      inMemory: rules.flatMap(({ path, as }) => (as === 'private' ? [path] : [])),
    },
    ...(wall.filter !== null && { extraInput: wall.filter }),
    async leave() {
      for (const target of await planted.putBack()) wall.onRefused({ what: 'planted', target });
    },
  };
}

async function openProxyFor({ socketPath, upstream, onRefused }: OsSandboxOptions, hosts: readonly HostPattern[]): Promise<OpenProxy> {
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

/** The services on the host's loopback that the launcher offers inside at the same address. */
function loopbackOf(hosts: readonly HostPattern[]): readonly { readonly host: string; readonly port: number }[] {
  return hosts.flatMap(({ host, port }) => (typeof port === 'number' && isLoopback(host) ? [{ host: host.includes(':') ? `[${host}]` : host, port }] : []));
}

function unavailable(missing: ReturnType<typeof explainBubblewrap>): OperatorError {
  return new OperatorError('sandbox-unavailable', `the sandbox "os" is not available: ${missing?.why ?? ''}`, { hint: missing?.hint ?? '', exitCode: 4 });
}

/** The sandbox of macOS. It hides and seals with rules instead of mounts, and shares the host's process table. Never run: we had no macOS. */
async function openSeatbeltWall(options: OsSandboxOptions, hosts: readonly HostPattern[]): Promise<SandboxPort & AsyncDisposable> {
  const scratch = join(options.cacheFolder, 'tmp', randomUUID());
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const onRefused = (target: string) => options.onRefused({ what: 'network', target });
  const proxy = hosts.length === 0 ? null : await openProxy({ hosts, listenOn: 'loopback', upstream: options.upstream, onRefused });
  const proxyPort = proxy?.port ?? null;
  const dots = dotsOf(options.home);
  const loopbackPorts = hosts.flatMap(({ host, port }) => (typeof port === 'number' && isLoopback(host) ? [port] : []));
  return {
    mode: 'os',
    async enclose(call) {
      const { rules } = await pathRules(call, { ...options, dots, copies: join(scratch, 'logins') });
      const profile = seatbeltProfile(rules, { scratch, proxyPort, loopbackPorts, sockets: options.sockets });
      const env = { ...call.env, TMPDIR: scratch, ...(proxyPort === null ? {} : proxyVariables(proxyPort)) };
      return { file: SEATBELT, args: ['-p', profile, call.file, ...call.args], cwd: call.cwd, env, stopDepth: 0, async leave() {} };
    },
    async [Symbol.asyncDispose]() {
      await proxy?.[Symbol.asyncDispose]();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** The environment of the call with the sandbox's own variables. Every process in between passes it on, so that no command line shows it. */
function environmentInside({ env, ownGit }: SandboxCall): Readonly<Record<string, string>> {
  return { ...NO_UPDATE_CHECKS, ...env, TMPDIR: '/tmp', ...(ownGit ? { [OWN_GIT]: '1' } : gitVariables(UNSIGNED, env)), ...proxyVariables(PROXY_PORT) };
}

/** There are no keys inside, so a commit that git wants to sign would fail. The settings of a git of its own say the same. */
const UNSIGNED = [
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['tag.forceSignAnnotated', 'false'],
] as const;

/** Package managers look for a newer version of themselves at the registry. It would be refused and told, and nobody could act on it. */
const NO_UPDATE_CHECKS = { npm_config_update_notifier: 'false', NO_UPDATE_NOTIFIER: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };

/** Some programs read the lower-case names, some the upper-case ones. Services inside are reached without the proxy. */
function proxyVariables(port: number): Readonly<Record<string, string>> {
  const pairs = [
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, `http://127.0.0.1:${port}`] as const),
    ['NO_PROXY', 'localhost,127.0.0.1,::1'] as const,
  ];
  return Object.fromEntries(pairs.flatMap(([name, value]) => [[name, value] as const, [name.toLowerCase(), value] as const]));
}

/** Watches paths that no mount can seal: missing ones and links. */
export interface PlantedWatch {
  /** Reverts unexpected changes, keeps the agent's version, and returns the changed paths. */
  putBack(): Promise<readonly string[]>;
}

type Before = { readonly path: string; readonly link: string | null };

/** Records which of the paths are missing or links. Whatever appears there later is moved to `keptIn`. */
async function watchPlanted(paths: readonly string[], keptIn: string): Promise<PlantedWatch> {
  const before = (await Promise.all(paths.map(lookAt))).flat();
  return {
    async putBack() {
      const planted: string[] = [];
      for (const each of before) if (await putBack(each, keptIn)) planted.push(each.path);
      return planted;
    },
  };
}

async function lookAt(path: string): Promise<readonly Before[]> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return [{ path, link: null }];
  return found.isSymbolicLink() ? [{ path, link: await readlink(path) }] : [];
}

/** True when the path had changed. */
async function putBack({ path, link }: Before, keptIn: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  const now = found?.isSymbolicLink() ? await readlink(path).catch(() => null) : null;
  if (found === null ? link === null : link !== null && now === link) return false;
  if (found !== null) await moveAway(path, keptIn);
  if (link !== null) await symlink(link, path);
  return true;
}

/** Deletes what cannot be moved to another disk: leaving it in place would be worse. */
async function moveAway(path: string, keptIn: string): Promise<void> {
  await mkdir(keptIn, { recursive: true, mode: 0o700 });
  try {
    await rename(path, join(keptIn, `${Date.now()}-${basename(path)}`));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    await rm(path, { recursive: true, force: true });
  }
}
