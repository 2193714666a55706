import { accessSync, constants, lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isBelow, isSeen, type MountRule, ruleAt } from './mount-plan.ts';
import { entriesOf, linkAt, realPathOf, textOf } from './trusted-path.ts';

/** Folders that all users share and that are full of sockets. */
const PRIVATE = ['/tmp', '/var/tmp', '/run', '/var/run', '/dev/shm'];

/** Files that only root can read: a root inside could read them too. */
const SYSTEM_SECRETS: readonly string[] = [
  ...['/etc/shadow*', '/etc/gshadow*', '/etc/sudoers*', '/etc/ssh/ssh_host_*_key', '/etc/ssl/private', '/etc/krb5.keytab', '/etc/letsencrypt'],
  ...['/etc/wireguard', '/etc/openvpn', '/etc/NetworkManager/system-connections', '/etc/kubernetes', '/etc/rancher', '/etc/docker/key.json'],
  ...['/var/lib/kubelet', '/var/lib/docker', '/var/lib/containerd', '/var/spool/cron', '/var/backups'],
];

/** Private temporary folders, and a private XDG_RUNTIME_DIR, because the host's is full of sockets. */
export function privateRules(env: Readonly<Record<string, string>>, spared: readonly string[]): readonly MountRule[] {
  const named = [env['XDG_RUNTIME_DIR'], env['TMPDIR']].flatMap((path) => (path !== undefined && isAbsolute(path) ? [path] : []));
  const own = existingPaths(named).filter(({ path }) => !spared.some((each) => isBelow(each, path)));
  return [...existingPaths(PRIVATE), ...own].map(({ path }) => ({ path, as: 'private' }));
}

/** Hides secrets outside the home. */
export function systemSecretRules(): readonly MountRule[] {
  const found = existingPaths(SYSTEM_SECRETS).filter(({ path, isFolder }) => !isFolder || canEnter(path));
  return found.map(({ path, isFolder }) => ({ path, as: 'hidden', isFolder }));
}

/** A folder that our user cannot enter is closed inside too, so it needs no rule. */
export function canEnter(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return !lstatSync(path, { throwIfNoEntry: false })?.isDirectory();
  }
}

/**
 * Hides the sockets of other programs. A read-only mount does not prevent a process from connecting to them: a container engine, a key agent, a database. The
 * socket's folder is hidden with it, since a socket may vanish at any time; where the folder must stay visible, only the socket is hidden.
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
  /** A folder below it that may vanish at any time. */
  readonly passing?: string;
  /** The parts of a hidden folder that stay visible. */
  readonly shown: readonly MountRule[];
}

const YOUNG_MS = 60_000;
const MOST_SHOWN = 200;

/** New folders, of a test or a build, often vanish soon. On a disk without creation times no folder counts as new. */
function isYoung(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found === undefined || Date.now() - found.birthtimeMs < YOUNG_MS;
}

/** Covers a folder that may vanish before it is mounted over: its parent is emptied instead, and all other entries of the parent are shown. */
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

interface ExistingPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The existing paths among these. The last name may contain `*`. A link counts as its target, because that is what has to be hidden. */
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
