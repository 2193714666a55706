import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';
import { makeFoldersBelow } from '../../kit/files/write.ts';

/** What one path is behind the wall, and all below it that has no rule of its own. Paths are absolute and real: no link on the way. */
export type MountRule =
  | { readonly path: string; readonly as: 'read-only' | 'writable' }
  /** Empty, and nothing can be put there. */
  | { readonly path: string; readonly as: 'hidden'; readonly isFolder: boolean }
  /** Empty, writable, and gone with the process. */
  | { readonly path: string; readonly as: 'private' }
  /** Something else of the host's in its place: writable, or only to be read. */
  | { readonly path: string; readonly as: 'replaced' | 'shown'; readonly by: string }
  /** A symbolic link as the host has it: made where the folder around it is empty, and there already elsewhere. */
  | { readonly path: string; readonly as: 'link'; readonly to: string };

/** The rules as they are laid over each other: one a path, the later of two for the same, and the deeper after the shallower, so that the most specific one wins. */
export function orderRules(rules: readonly MountRule[]): readonly MountRule[] {
  const last = [...new Map(rules.map((rule) => [rule.path, rule])).values()];
  return withPins(last.filter((rule) => hasEffect(rule, last)).sort((one, other) => depthOf(one.path) - depthOf(other.path)));
}

/** A link can be made only in a folder that is made here, and what may only be read need not be said twice. */
function hasEffect({ path, as }: MountRule, rules: readonly MountRule[]): boolean {
  if (as !== 'link' && as !== 'read-only') return true;
  const around = ruleAt(dirname(path), rules)?.as;
  return as === 'link' ? around === 'private' || around === 'hidden' : around !== 'read-only';
}

/** The rule that holds at a path: its own, or that of the closest folder above. Null: what holds for all. */
export function ruleAt(path: string, rules: readonly MountRule[]): MountRule | null {
  const byPath = new Map(rules.flatMap((rule) => (rule.as === 'link' ? [] : [[rule.path, rule] as const])));
  for (let at = path; ; at = dirname(at)) {
    const rule = byPath.get(at);
    if (rule !== undefined) return rule;
    if (at === dirname(at)) return null;
  }
}

/** Whether what the host has there can be reached. */
export function isSeen(path: string, rules: readonly MountRule[]): boolean {
  const rule = ruleAt(path, rules);
  return rule === null || rule.as === 'read-only' || rule.as === 'writable';
}

/** Whether what is inside may put something there. */
export function isWritable(path: string, rules: readonly MountRule[]): boolean {
  const rule = ruleAt(path, rules);
  return rule !== null && (rule.as === 'writable' || rule.as === 'replaced' || rule.as === 'private');
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** For bubblewrap, over a read-only root. `empty` is a folder of the host with nothing in it. */
export function bubblewrapMounts(rules: readonly MountRule[], empty: string): readonly string[] {
  const ordered = orderRules(rules);
  const holdsOthers = (folder: string) => ordered.some(({ path }) => path !== folder && isBelow(path, folder));
  return ordered.flatMap((rule) => (rule.as === 'hidden' && rule.isFolder && !holdsOthers(rule.path) ? emptied(rule.path, empty) : mountOf(rule)));
}

/**
 * A stranger's folder may vanish before it is mounted over, and bubblewrap cannot make it anew in what is read-only. It passes over a source that is not
 * there: so the source is named by a way through the folder itself.
 */
function emptied(folder: string, empty: string): readonly string[] {
  return ['--ro-bind-try', `${folder}${'/..'.repeat(depthOf(folder))}${empty}`, folder];
}

/**
 * Only a mount point cannot be renamed. A folder between what is writable and what is sealed in it could be moved away together with the seal, and another
 * put in its place: so each of them is made a mount point too.
 */
function withPins(ordered: readonly MountRule[]): readonly MountRule[] {
  const pinned = new Map(ordered.map((rule) => [rule.path, rule]));
  for (const rule of ordered) {
    if (!['read-only', 'hidden', 'private'].includes(rule.as)) continue;
    const holder = ruleAt(dirname(rule.path), ordered);
    if (holder?.as !== 'writable') continue;
    for (let at = dirname(rule.path); at !== holder.path; at = dirname(at)) pinned.set(at, { path: at, as: 'writable' });
  }
  return [...pinned.values()].sort((one, other) => depthOf(one.path) - depthOf(other.path));
}

/** What vanishes before it is mounted is no longer in danger. */
function mountOf(rule: MountRule): readonly string[] {
  switch (rule.as) {
    case 'read-only':
      return ['--ro-bind-try', rule.path, rule.path];
    case 'writable':
      return ['--bind-try', rule.path, rule.path];
    case 'replaced':
      return ['--bind', rule.by, rule.path];
    case 'shown':
      return ['--ro-bind', rule.by, rule.path];
    case 'private':
      return ['--perms', rule.path.endsWith('tmp') ? '1777' : '0700', '--tmpfs', rule.path];
    case 'link':
      return ['--symlink', rule.to, rule.path];
    case 'hidden':
      return rule.isFolder ? ['--perms', '0555', '--tmpfs', rule.path] : ['--dev-bind', '/dev/null', rule.path];
  }
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

/** The links on a way, so that it leads to the same inside. */
export function linkRules(links: readonly { readonly path: string; readonly to: string }[] = []): readonly MountRule[] {
  return links.map(({ path, to }) => ({ path, as: 'link', to }));
}

/** Makes the folders of a path below one that is there. One that is refused (a file in its place, a read-only disk) is no reason not to start. */
export async function makeFolderIn(base: string, name: string, mode = 0o755): Promise<void> {
  await makeFoldersBelow(base, join(base, name), mode).catch(() => undefined);
}

/** Makes an empty file unless something has its name. */
export async function makeFile(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o644);
    await handle.close();
  } catch (error) {
    if (!['EEXIST', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].some((code) => hasCode(error, code))) throw error;
  }
}
