import { copyFile, lstat, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { OwnFolder, SandboxCall, SandboxedCall, SandboxPort } from '../../engine/ports/sandbox.ts';
import { OWN_GIT } from '../../sandbox/environment/environment.ts';
import type { Variables } from '../git/git-command.ts';
import { quotedInList } from '../git/git-scratch.ts';
import { bytesAt, carry, found, isRealFolder, isSameFile } from '../isolated/carry.ts';
import { pathsOf } from '../isolated/tree-changes.ts';
import { GitTrouble } from '../tasks/locks.ts';

interface CopyPlace {
  /** The top of the operator's work tree, by its real path. */
  readonly root: string;
  readonly commonDir: string;
  /** Where Ralph writes files for agents to read, in the work tree. */
  readonly viewFolder: string;
  /** Files of the work tree that no agent may change, relative to the root. */
  readonly sealed: readonly string[];
  readonly sandbox: SandboxPort;
  /** The environment of Ralph's own git. */
  readonly env: Variables;
  /** Whether the sandbox shares only the folder of the copies with the host. */
  readonly isShared: boolean;
}

/**
 * Starts processes in the copy, with or without a sandbox. Without one, a process can still reach the operator's files: the copy protects only from mistakes.
 */
export function openCopySandbox(place: CopyPlace): SandboxPort {
  const links = openGitLinks();
  const { sandbox } = place;
  return {
    mode: sandbox.mode,
    async enclose(call) {
      if (call.isOffline && call.ownGit) return await gitOfOurs(call, place);
      if (call.ownFolder === undefined) return await sandbox.enclose(call);
      return await encloseIn(call, call.ownFolder, { ...place, links });
    },
  };
}

function started(
  { file, args, cwd, env }: Pick<SandboxedCall, 'file' | 'args' | 'cwd' | 'env'>,
  leave: SandboxedCall['leave'] = async () => undefined,
): SandboxedCall {
  return { file, args, cwd, env, stopDepth: 0, leave };
}

async function encloseIn(call: SandboxCall, { folder }: OwnFolder, place: CopyPlace & { readonly links: GitLinks }): Promise<SandboxedCall> {
  const { root, viewFolder, links, sandbox, isShared } = place;
  const { ownGit, stdin } = call;
  await showViews(viewFolder, join(folder, relative(root, viewFolder)), isShared);
  // A sandbox that shares the folder makes this link inside.
  const unlink = ownGit && !isShared ? await links.link(join(folder, '.git'), ownGit.folder) : async () => undefined;
  const moved = movedPaths(root, folder);
  const cwd = join(folder, relative(root, call.cwd));
  const env = Object.fromEntries(Object.entries(call.env).map(([name, value]) => [name, moved(value)]));
  // The message of a commit is the operator's and goes into the history unchanged.
  const isRead = call.who === 'agent' || call.args[0] === '-c';
  const enclosed = await sandbox.enclose({
    ...{ who: call.who, file: moved(call.file), args: isRead ? call.args.map(moved) : call.args, cwd, ownFolder: { folder, shared: [] } },
    ...(ownGit && { ownGit }),
    env: { ...env, ...(env['PWD'] !== undefined && { PWD: cwd }), ...(ownGit && { [OWN_GIT]: '1' }) },
  });
  return {
    ...enclosed,
    ...(stdin !== undefined && { stdin: moved(stdin) }),
    async leave() {
      await enclosed.leave();
      await unlink();
    },
  };
}

/** Shows logs and progress where the prompt says they are: as links, or as copies where links would lead nowhere. Git ignores all files there. */
async function showViews(from: string, to: string, isCopied: boolean): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && entry.name !== '.gitignore').map(({ name }) => name);
  if (names.length > 0) await mkdir(to, { recursive: true });
  for (const name of names) await (isCopied ? replaceFile : symlink)(join(from, name), join(to, name)).catch(() => undefined);
}

async function replaceFile(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await copyFile(from, to);
}

/**
 * Runs a git of the host on the files and objects that an agent left. The repository is Ralph's own, so the agent's settings and hooks have no effect.
 * Ignored repositories are moved away meanwhile.
 */
async function gitOfOurs(call: SandboxCall, { commonDir, root, sealed, isShared, env: hosts }: CopyPlace): Promise<SandboxedCall> {
  const { ownGit, ownFolder, env } = call;
  const folder = ownGit?.folder ?? '';
  if (env['GIT_DIR'] === undefined)
    return started({ ...call, env: { ...env, GIT_DIR: commonDir, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedInList(join(folder, 'objects')) } });
  const settings = Object.fromEntries(Object.entries(hosts).filter(([name]) => /^GIT_CONFIG_(?:COUNT$|KEY_|VALUE_)/.test(name)));
  const own = { ...settings, GIT_DIR: folder, GIT_INDEX_FILE: join(folder, relative(commonDir, env['GIT_INDEX_FILE'] ?? '')) };
  if (ownFolder === undefined) return started({ ...call, env: { ...env, ...own } });
  // Where the operator's filters run outside a sandbox here, at least their scripts must be the operator's too.
  if (isShared) await revertSealed(root, ownFolder.folder, sealed);
  await cover(ownFolder);
  return started({ ...call, cwd: ownFolder.folder, env: { ...env, ...own, GIT_WORK_TREE: ownFolder.folder } }, () => uncover(ownFolder.folder));
}

async function revertSealed(root: string, folder: string, sealed: readonly string[]): Promise<void> {
  const files = pathsOf(sealed).filter((path) => found(bytesAt(root, path))?.isFile());
  const changed = files.filter((path) => !isRealFile(folder, path) || !isSameFile(bytesAt(root, path), bytesAt(folder, path)));
  const refused = await carry(
    changed.map((path) => ({ path, before: null, after: SOME_FILE })),
    { from: root, to: folder, workshop: null },
  );
  const [first] = refused;
  if (first !== undefined) throw new GitTrouble(`something is in the way of ${join(folder, first.path)}, which a filter of your git runs`);
}

const SOME_FILE = { mode: '100644', id: '' };

const isRealFile = (folder: string, path: string) => dirname(path) === '.' || isRealFolder(folder, dirname(path));

/** On the same disk as the copy, but outside its work tree. */
const coveredIn = (folder: string) => join(dirname(folder), 'covered');

async function cover({ folder, covered = [] }: OwnFolder): Promise<void> {
  if (covered.length > 0) await mkdir(coveredIn(folder), { recursive: true });
  for (const { path } of covered) await rename(join(folder, path), join(coveredIn(folder), encodeURIComponent(path))).catch(() => undefined);
}

/** Also moves back what a crash left there. */
export async function uncover(folder: string): Promise<void> {
  const names = await readdir(coveredIn(folder)).catch(() => []);
  for (const name of names) await rename(join(coveredIn(folder), name), join(folder, decodeURIComponent(name))).catch(() => undefined);
  if (names.length > 0) await rm(coveredIn(folder), { recursive: true, force: true });
}

interface GitLinks {
  /** Returns a function that removes the link again. */
  link(path: string, target: string): Promise<() => Promise<void>>;
}

/** Several processes may work in one folder: they share the repository of the first that is still running. */
function openGitLinks(): GitLinks {
  const inside = new Map<string, string[]>();
  return {
    async link(path, target) {
      const targets = inside.get(path) ?? [];
      inside.set(path, targets);
      targets.push(target);
      if (targets.length === 1) await linkTo(path, target);
      return async () => {
        const isShown = targets[0] === target;
        targets.splice(targets.indexOf(target), 1);
        const [next] = targets;
        if (isShown && next !== undefined) await linkTo(path, next);
        else if (next === undefined && (await lstat(path).catch(() => null))?.isSymbolicLink()) await rm(path);
      };
    },
  };
}

async function linkTo(path: string, target: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await symlink(target, path);
}

/** Replaces the path of one folder with that of another in a text. Leaves longer names alone, such as a sibling folder, and paths in `.git`. */
export function movedPaths(from: string, to: string): (text: string) => string {
  const named = new RegExp(`(?<![\\w.-])${from.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?![\\w-]|\\.\\w|/\\.git(?![\\w.-]))`, 'g');
  return (text) => text.replaceAll(named, () => to);
}
