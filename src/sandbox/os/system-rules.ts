import { accessSync, constants, lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { entriesOf, realPathOf, textOf } from './look.ts';
import { isBelow, isSeen, type MountRule, ruleAt } from './mount-plan.ts';
import { linkAt } from './trusted-path.ts';

/** Everybody's, and full of sockets. */
const PRIVATE = ['/tmp', '/var/tmp', '/run', '/var/run'];

/** What a root inside could read although nobody else can. */
const SYSTEM_SECRETS: readonly string[] = [
  ...['/etc/shadow*', '/etc/gshadow*', '/etc/sudoers*', '/etc/ssh/ssh_host_*_key', '/etc/ssl/private', '/etc/krb5.keytab', '/etc/letsencrypt'],
  ...['/etc/wireguard', '/etc/openvpn', '/etc/NetworkManager/system-connections', '/etc/kubernetes', '/etc/rancher', '/etc/docker/key.json'],
  ...['/var/lib/kubelet', '/var/lib/docker', '/var/lib/containerd', '/var/spool/cron', '/var/backups'],
];

/** Its own temporary folders; and an own folder for what lives as long as a session, which is full of sockets. */
export function privateRules(env: Readonly<Record<string, string>>, spared: readonly string[]): readonly MountRule[] {
  const named = [env['XDG_RUNTIME_DIR'], env['TMPDIR']].flatMap((path) => (path !== undefined && isAbsolute(path) ? [path] : []));
  const own = existingPaths(named).filter(({ path }) => !spared.some((each) => isBelow(each, path)));
  return [...existingPaths(PRIVATE), ...own].map(({ path }) => ({ path, as: 'private' }));
}

/** What is secret outside of the home is not there. */
export function systemSecretRules(): readonly MountRule[] {
  const found = existingPaths(SYSTEM_SECRETS).filter(({ path, isFolder }) => !isFolder || canEnter(path));
  return found.map(({ path, isFolder }) => ({ path, as: 'hidden', isFolder }));
}

/** What is closed to us is closed inside, and no way leads through it. */
export function canEnter(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return !lstatSync(path, { throwIfNoEntry: false })?.isDirectory();
  }
}

/**
 * The sockets of others that can be seen. A read-only mount does not keep anybody from talking to who listens there: a container engine, an agent that holds
 * keys, a database. The folder of such a socket is hidden with it, since a socket may vanish at any time; where the folder must be seen, only the socket is.
 */
export function foreignSocketRules(rules: readonly MountRule[]): readonly MountRule[] {
  const named = new Set(rules.map(({ path }) => path));
  const foreign = hostSockets().filter((path) => !named.has(path) && isSeen(path, rules));
  const covers = foreign.map((path): Cover => {
    const folder = dirname(path);
    if (ruleAt(path, rules)?.as === 'writable') return { hidden: path, isFolder: false, shown: [] };
    if (isYoung(folder)) return overPassing(folder);
    return named.has(folder) || folder.split('/').length < 4 ? { hidden: path, isFolder: false, shown: [] } : { hidden: folder, isFolder: true, shown: [] };
  });
  const passing = new Set(covers.map((cover) => cover.passing));
  return [
    ...covers.flatMap(({ shown }) => shown).filter(({ path }) => !named.has(path) && !passing.has(path)),
    ...covers.map(({ hidden, isFolder }): MountRule => ({ path: hidden, as: 'hidden', isFolder })),
  ];
}

interface Cover {
  readonly hidden: string;
  readonly isFolder: boolean;
  /** Below it, what may vanish at any time. */
  readonly passing?: string;
  /** What is still there of a hidden folder. */
  readonly shown: readonly MountRule[];
}

const YOUNG_MS = 60_000;
const MOST_SHOWN = 200;

/** What was made just now is often gone as soon: a test, a build. Where a disk does not say when that was, nothing is young. */
function isYoung(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found === undefined || Date.now() - found.birthtimeMs < YOUNG_MS;
}

/** A folder that may vanish before it is mounted over: the one it lies in is emptied, which stays, and all else is shown there. */
function overPassing(folder: string, young = folder): Cover {
  const around = dirname(young);
  if (around !== '/' && isYoung(around)) return overPassing(folder, around);
  const others = around === '/' ? [] : entriesOf(around);
  if (around === '/' || others.length > MOST_SHOWN) return { hidden: folder, isFolder: true, shown: [] };
  return { hidden: around, isFolder: true, passing: young, shown: others.map(({ name }) => asItIs(join(around, name))) };
}

function asItIs(path: string): MountRule {
  const to = linkAt(path) || null;
  return to === null ? { path, as: 'read-only' } : { path, as: 'link', to };
}

/** The sockets of this machine that have a path. */
function hostSockets(): readonly string[] {
  const paths = new Set(
    textOf('/proc/net/unix')
      .split('\n')
      .flatMap((line) => /^(?:\S+\s+){7}(?<path>\/.+)$/.exec(line)?.groups?.['path'] ?? []),
  );
  return [...paths].flatMap((path) => {
    const real = realPathOf(path);
    return real !== null && lstatSync(real, { throwIfNoEntry: false })?.isSocket() ? [real] : [];
  });
}

/** Something that is there, by its real path. */
interface ExistingPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** What is there of these paths. The last name may hold `*`. A link stands for what it leads to: that is what has to be hidden. */
export function existingPaths(patterns: readonly string[]): readonly ExistingPath[] {
  return patterns.flatMap(candidatesOf).flatMap((path) => {
    const real = realPathOf(path);
    const found = real === null ? undefined : lstatSync(real, { throwIfNoEntry: false });
    return real === null || found === undefined ? [] : [{ path: real, isFolder: found.isDirectory() }];
  });
}

function candidatesOf(pattern: string): readonly string[] {
  const name = basename(pattern);
  if (!name.includes('*')) return [pattern];
  const folder = dirname(pattern);
  const wanted = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`);
  return entriesOf(folder).flatMap((entry) => (wanted.test(entry.name) ? [join(folder, entry.name)] : []));
}

const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
