import { basename, dirname, isAbsolute, join } from 'node:path';
import type { WallCall } from '../../engine/ports/wall.ts';
import { existingPaths } from './existing-paths.ts';
import { gitRules } from './git-rules.ts';
import { cacheRules, secretRules } from './home-rules.ts';
import { hostSockets } from './host-sockets.ts';
import { loginRules } from './login-rules.ts';
import { isBelow, isWritable, type MountRule, ruleAt } from './mount-plan.ts';
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
    { path: tree.root, as: 'writable' },
    ...(commonDir === null || tree.kind === 'none' ? [] : await gitRules(commonDir, tree)),
  ];
  const rules = await withWishes(base, tree, { call, options });
  return { rules, watched: [...login.watched, ...unsealed(tree, commonDir), ...options.sealed] };
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
    ...(await real(options.writable)).map((path): MountRule => ({ path, as: 'writable' })),
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
