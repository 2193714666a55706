import { lstat, mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { OwnGit, WallCall } from '../../engine/ports/wall.ts';
import { loginsBeside } from './agent-logins.ts';
import { gitRules } from './git-rules.ts';
import { CACHES, HOME_SECRETS, PROGRAMS_IN_CACHES, SYSTEM_SECRETS } from './home-secrets.ts';
import { loginRules } from './login-rules.ts';
import { isBelow, isWritable, type MountRule, makeFolderIn, ruleAt } from './mount-plan.ts';
import type { OsWallOptions } from './os-wall-options.ts';
import { trustedPath } from './trusted-path.ts';
import { findWorkTree, type WorkTree } from './work-tree.ts';

/** Everybody's, and full of sockets. */
const PRIVATE = ['/tmp', '/var/tmp', '/run', '/var/run'];
/** Where some systems keep their programs. */
const PROGRAMS_IN_RUN = ['/run/current-system', '/run/booted-system', '/run/wrappers', '/run/opengl-driver'];
/** What Ralph reads in a work tree. */
const OURS = ['.ralph', 'ralph.yaml', 'ralph.yml'];

export interface WallRules {
  readonly rules: readonly MountRule[];
  /** What no mount can seal, to be looked at again afterwards. */
  readonly watched: readonly string[];
}

/** What a process may see and write, in the order in which the later rule is the stronger one for the same path. */
export async function wallRules(call: WallCall, options: OsWallOptions, copies: string): Promise<WallRules> {
  const { home, commonDir } = options;
  const tree = await findWorkTree(call.cwd, commonDir);
  const isAgent = call.who === 'agent';
  const login = home === null || !isAgent ? { rules: [], watched: [] } : await loginRules({ home, agentKind: options.agentKind, env: call.env, copies });
  const base: readonly MountRule[] = [
    ...(await privateRules(call.env, [tree.root, home ?? tree.root])),
    // Both may lie in a folder that is private here: then they are seen all the same.
    ...(await existingPaths([home ?? [], mainCheckout(commonDir) ?? []].flat())).map(({ path }) => readOnly(path)),
    ...(home === null ? [] : await cacheRules(home, options.cacheFolder)),
    ...(await secretRules(home, isAgent ? options.agentKind : null)),
    ...login.rules,
    { path: tree.root, as: call.judges ? 'read-only' : 'writable' },
    ...(await rulesOfGit(call, commonDir, tree)),
  ];
  const rules = await withWishes(base, tree, { call, options });
  return { rules, watched: [...login.watched, ...unsealed(tree, call.ownGit ? null : commonDir), ...options.sealed] };
}

async function rulesOfGit({ ownGit }: WallCall, commonDir: string | null, tree: WorkTree): Promise<readonly MountRule[]> {
  if (commonDir === null || tree.kind === 'none') return [];
  return ownGit ? await ownGitRules(commonDir, tree, ownGit) : await gitRules(commonDir, tree);
}

/** The process sees a repository of its own where the operator's lies; of that one it sees the objects, the hooks and what Ralph has written. */
async function ownGitRules(commonDir: string, { gitFile }: WorkTree, { folder, borrowed, lenders }: OwnGit): Promise<readonly MountRule[]> {
  const hooks = join(commonDir, 'hooks');
  const [shownHooks] = await existingPaths([hooks]);
  return [
    { path: commonDir, as: 'replaced', by: folder },
    ...borrowed.map(({ path, from }): MountRule => ({ path, as: 'shown', by: from })),
    ...(shownHooks?.isFolder ? [{ path: hooks, as: 'shown', by: shownHooks.path } as const] : []),
    readOnly(join(commonDir, 'ralph')),
    ...(await existingPaths(lenders)).map(({ path }) => readOnly(path)),
    ...(gitFile === null ? [] : [readOnly(gitFile)]),
  ];
}

/** A repository that names another one in `commondir` takes its configuration from there; and what is not there cannot be mounted over. */
function unsealed({ root, kind }: WorkTree, commonDir: string | null): readonly string[] {
  const files = ['ralph.yaml', 'ralph.yml'].map((name) => join(root, name));
  return commonDir === null || kind === 'none' ? files : [...files, join(commonDir, 'commondir')];
}

/** Where a linked work tree comes from, and may have links to. */
function mainCheckout(commonDir: string | null): string | null {
  return commonDir !== null && basename(commonDir) === '.git' ? dirname(commonDir) : null;
}

/** What the operator wants opened, what is ours and stays closed, and the sockets of others. */
async function withWishes(base: readonly MountRule[], tree: WorkTree, { call, options }: Wishes): Promise<readonly MountRule[]> {
  const canBePlanted = (link: string) => ruleAt(link, base)?.as === 'writable' || options.writable.some((path) => path !== link && isBelow(link, path));
  const real = async (paths: readonly string[]) => (await Promise.all(paths.map((path) => trustedPath(path, canBePlanted)))).filter((path) => path !== null);
  const readable = [...(await real(options.readable)), ...(await programs(call, base))].filter((path) => !isSeen(path, base));
  const ours = await real(options.sockets);
  const opened: readonly MountRule[] = [
    ...base,
    ...readable.map(readOnly),
    ...(await real(options.writable)).filter((path) => !call.judges || !isBelow(path, tree.root)).map((path): MountRule => ({ path, as: 'writable' })),
  ];
  const sealed = (await real([...OURS.map((name) => join(tree.root, name)), ...options.sealed])).filter((path) => isWritable(path, opened));
  const rules = [...opened, ...sealed.map(readOnly), ...ours.map(readOnly)];
  const named = new Set(rules.map(({ path }) => path));
  const foreign = (await hostSockets()).filter((path) => !named.has(path) && isSeen(path, rules));
  return [...rules, ...foreign.map((path): MountRule => ({ path, as: 'hidden', isFolder: false }))];
}

interface Wishes {
  readonly call: WallCall;
  readonly options: OsWallOptions;
}

/** What is to be run, and where programs are looked for, is meant to be seen wherever it lies. */
async function programs({ file, args, env }: WallCall, base: readonly MountRule[]): Promise<readonly string[]> {
  const folders = (env['PATH'] ?? '').split(':');
  const outside = [process.execPath, file, ...folders].filter((path) => isAbsolute(path) && ruleAt(path, base)?.as !== 'writable');
  const found = (await existingPaths([...PROGRAMS_IN_RUN, ...outside]))
    .map(({ path }) => path)
    .filter((path) => !PRIVATE.some((folder) => isBelow(folder, path)));
  return [...found, ...(await namedInPrivate(args, base))];
}

/** `node /tmp/agent.mjs`: a file the operator has named is meant to be seen, although the folder it lies in is another one inside. */
async function namedInPrivate(args: readonly string[], base: readonly MountRule[]): Promise<readonly string[]> {
  const named = args.filter((path) => isAbsolute(path) && PRIVATE.some((folder) => isBelow(path, folder)) && ruleAt(path, base)?.as === 'private');
  const isStillThere = (path: string) => ruleAt(path, base)?.as === 'private';
  return (await existingPaths(named)).filter(({ path, isFolder }) => !isFolder && isStillThere(path)).map(({ path }) => path);
}

/** Its own temporary folders; and an own folder for what lives as long as a session, which is full of sockets. */
async function privateRules({ XDG_RUNTIME_DIR: runtime }: WallCall['env'], spared: readonly string[]): Promise<readonly MountRule[]> {
  const folders = (await existingPaths(PRIVATE)).map(({ path }) => path);
  const ofSession = runtime !== undefined && isAbsolute(runtime) && !spared.some((path) => isBelow(path, runtime)) ? await existingPaths([runtime]) : [];
  return [...folders, ...ofSession.map(({ path }) => path)].map((path) => ({ path, as: 'private' }));
}

/** Whether what the host has there can be reached. */
function isSeen(path: string, rules: readonly MountRule[]): boolean {
  const rule = ruleAt(path, rules);
  return rule === null || rule.as === 'read-only' || rule.as === 'writable';
}

const readOnly = (path: string): MountRule => ({ path, as: 'read-only' });

/**
 * The sockets of this machine that have a path. A read-only mount does not keep anybody from talking to who listens there: a container engine, an agent
 * that holds keys, a terminal multiplexer. Each of them is a way out.
 */
async function hostSockets(): Promise<readonly string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = new Set(table.split('\n').flatMap((line) => /^(?:\S+\s+){7}(?<path>\/.+)$/.exec(line)?.groups?.['path'] ?? []));
  return (await Promise.all([...paths].map(socketAt))).flat();
}

async function socketAt(path: string): Promise<readonly string[]> {
  try {
    const real = await realpath(path);
    return (await lstat(real)).isSocket() ? [real] : [];
  } catch {
    return [];
  }
}

/** What is secret is not there, in the home and elsewhere. `agentKind` is whose login is needed; null: nobody's. */
async function secretRules(home: string | null, agentKind: string | null): Promise<readonly MountRule[]> {
  const inHome = home === null ? [] : [...HOME_SECRETS, ...loginsBeside(agentKind)].map((name) => join(home, name));
  const found = await existingPaths([...inHome, ...SYSTEM_SECRETS]);
  return found.map(({ path, isFolder }) => ({ path, as: 'hidden', isFolder }));
}

/** Tools can fill their caches, and those of the host stay as they are. */
async function cacheRules(home: string, cacheFolder: string): Promise<readonly MountRule[]> {
  for (const name of CACHES.made) await makeFolderIn(home, name, 0o700);
  const rules = await Promise.all(
    [...CACHES.made, ...CACHES.ifThere].map(async (name): Promise<readonly MountRule[]> => {
      const real = await realpath(join(home, name)).catch(() => null);
      if (real === null) return [];
      const by = join(cacheFolder, 'home', name.replaceAll('/', '-'));
      await mkdir(by, { recursive: true, mode: 0o700 });
      return [{ path: real, as: 'replaced', by }];
    }),
  );
  const programs = await existingPaths(PROGRAMS_IN_CACHES.map((name) => join(home, name)));
  return [...rules.flat(), ...programs.map(({ path }): MountRule => ({ path, as: 'read-only' }))];
}

/** Something that is there, by its real path. */
export interface ExistingPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** What is there of these paths. The last name may hold `*`. A link stands for what it leads to: that is what has to be hidden. */
async function existingPaths(patterns: readonly string[]): Promise<readonly ExistingPath[]> {
  const candidates = (await Promise.all(patterns.map(candidatesOf))).flat();
  return (await Promise.all(candidates.map(existing))).flat();
}

async function candidatesOf(pattern: string): Promise<readonly string[]> {
  const name = basename(pattern);
  if (!name.includes('*')) return [pattern];
  const folder = dirname(pattern);
  const wanted = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`);
  const names = await readdir(folder).catch(() => []);
  return names.filter((each) => wanted.test(each)).map((each) => join(folder, each));
}

const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

async function existing(path: string): Promise<readonly ExistingPath[]> {
  try {
    const real = await realpath(path);
    return [{ path: real, isFolder: (await lstat(real)).isDirectory() }];
  } catch {
    return [];
  }
}
