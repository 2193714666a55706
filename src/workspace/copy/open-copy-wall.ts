import { lstat, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Enclosed, OwnFolder, WallCall, WallPort } from '../../engine/ports/wall.ts';
import { OWN_GIT } from '../../sandbox/environment/environment.ts';
import { quotedInList } from '../git/git-scratch.ts';

interface CopyPlace {
  /** The top of the operator's work tree, by its real path. */
  readonly root: string;
  readonly commonDir: string;
  /** Where the loop writes for agents to read, in the work tree. */
  readonly viewFolder: string;
}

/**
 * No wall. A process that is to have a folder of its own is started in it, and one that is to have a repository of its own finds it there as `.git`. Whoever
 * wants to reach the operator's files still can: this keeps those from it who only err.
 */
export function openCopyWall(place: CopyPlace): WallPort {
  const links = openGitLinks();
  return {
    mode: 'guard',
    async enclose(call) {
      if (call.isOffline && call.ownGit) return await gitOfOurs(call, place.commonDir);
      if (call.ownFolder === undefined) return started(call);
      return await encloseIn(call, call.ownFolder, { ...place, links });
    },
  };
}

function started({ file, args, cwd, env }: Pick<Enclosed, 'file' | 'args' | 'cwd' | 'env'>, leave: Enclosed['leave'] = async () => undefined): Enclosed {
  return { file, args, cwd, env, askDepth: 0, leave };
}

async function encloseIn(call: WallCall, { folder }: OwnFolder, { root, viewFolder, links }: CopyPlace & { readonly links: GitLinks }): Promise<Enclosed> {
  const { ownGit, stdin } = call;
  await showViews(viewFolder, join(folder, relative(root, viewFolder)));
  const unlink = ownGit && (await links.link(join(folder, '.git'), ownGit.folder));
  const moved = movedPaths(root, folder);
  const cwd = join(folder, relative(root, call.cwd));
  const env = Object.fromEntries(Object.entries(call.env).map(([name, value]) => [name, moved(value)]));
  // The words of a commit are the operator's, and go into the history as they are.
  const isRead = call.who === 'agent' || call.args[0] === '-c';
  return {
    ...started({ file: moved(call.file), args: isRead ? call.args.map(moved) : call.args, cwd, env }, unlink),
    env: { ...env, ...(env['PWD'] !== undefined && { PWD: cwd }), ...(ownGit && { [OWN_GIT]: '1' }) },
    ...(stdin !== undefined && { stdin: moved(stdin) }),
  };
}

/** Logs and progress, as links: git ignores all that lies there, and an agent finds them where its prompt says. */
async function showViews(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && entry.name !== '.gitignore').map(({ name }) => name);
  if (names.length > 0) await mkdir(to, { recursive: true });
  for (const name of names) await symlink(join(from, name), join(to, name)).catch(() => undefined);
}

/**
 * Git reads the files and the objects that an agent has left, with a repository of ours: neither its settings nor its hooks have a part in it. What must not
 * be seen lies elsewhere meanwhile.
 */
async function gitOfOurs(call: WallCall, commonDir: string): Promise<Enclosed> {
  const { ownGit, ownFolder, env } = call;
  const folder = ownGit?.folder ?? '';
  if (env['GIT_DIR'] === undefined)
    return started({ ...call, env: { ...env, GIT_DIR: commonDir, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedInList(join(folder, 'objects')) } });
  const own = { GIT_DIR: folder, GIT_INDEX_FILE: join(folder, relative(commonDir, env['GIT_INDEX_FILE'] ?? '')) };
  if (ownFolder === undefined) return started({ ...call, env: { ...env, ...own } });
  await cover(ownFolder);
  return started({ ...call, cwd: ownFolder.folder, env: { ...env, ...own, GIT_WORK_TREE: ownFolder.folder } }, () => uncover(ownFolder.folder));
}

/** On the same disk, and outside of the work tree. */
const coveredIn = (folder: string) => join(dirname(folder), 'covered');

async function cover({ folder, covered = [] }: OwnFolder): Promise<void> {
  if (covered.length > 0) await mkdir(coveredIn(folder), { recursive: true });
  for (const { path } of covered) await rename(join(folder, path), join(coveredIn(folder), encodeURIComponent(path))).catch(() => undefined);
}

/** Also what one has covered that died. */
export async function uncover(folder: string): Promise<void> {
  const names = await readdir(coveredIn(folder)).catch(() => []);
  for (const name of names) await rename(join(coveredIn(folder), name), join(folder, decodeURIComponent(name))).catch(() => undefined);
  if (names.length > 0) await rm(coveredIn(folder), { recursive: true, force: true });
}

interface GitLinks {
  /** Returns what ends it. */
  link(path: string, target: string): Promise<() => Promise<void>>;
}

/** Several processes may be in one folder: they have the repository of the first that is still there. */
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

/** In the place of whatever somebody has made there. */
async function linkTo(path: string, target: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await symlink(target, path);
}

/** What a text names below one folder it names below another then. A longer name, such as that of a folder beside it, and what lies in `.git` stay. */
export function movedPaths(from: string, to: string): (text: string) => string {
  const named = new RegExp(`(?<![\\w.-])${from.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?![\\w-]|\\.\\w|/\\.git(?![\\w.-]))`, 'g');
  return (text) => text.replaceAll(named, () => to);
}
