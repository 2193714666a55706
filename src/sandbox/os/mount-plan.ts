import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';
import { makeFoldersBelow } from '../../kit/files/write.ts';

/** How the sandbox shows a path, and everything below it that has no rule of its own. Paths are absolute and real, without links. */
export type MountRule =
  | { readonly path: string; readonly as: 'read-only' | 'writable' }
  /** Empty and not writable. */
  | { readonly path: string; readonly as: 'hidden'; readonly isFolder: boolean }
  /** Empty, writable, and deleted with the process. */
  | { readonly path: string; readonly as: 'private' }
  /** Another path of the host in its place: replaced is writable, shown is read-only. */
  | { readonly path: string; readonly as: 'replaced' | 'shown'; readonly by: string }
  /** A symbolic link of the host. It is created where the folder around it is empty; elsewhere it exists already. */
  | { readonly path: string; readonly as: 'link'; readonly to: string };

/** Orders the rules for mounting. Each path has one rule, the last one given; deeper paths come after shallower ones, so that the most specific rule wins. */
export function orderRules(rules: readonly MountRule[]): readonly MountRule[] {
  const last = [...new Map(rules.map((rule) => [rule.path, rule])).values()];
  return withPins(last.filter((rule) => hasEffect(rule, last)).sort((one, other) => depthOf(one.path) - depthOf(other.path)));
}

/**
 * Whether a rule changes anything. A link can only be created in a folder that the sandbox creates; a read-only rule inside a read-only folder is redundant.
 */
function hasEffect({ path, as }: MountRule, rules: readonly MountRule[]): boolean {
  if (as !== 'link' && as !== 'read-only') return true;
  const around = ruleAt(dirname(path), rules)?.as;
  return as === 'link' ? around === 'private' || around === 'hidden' : around !== 'read-only';
}

/** The rule for a path: its own, or that of the closest folder above. Null when there is none, so that the default applies. */
export function ruleAt(path: string, rules: readonly MountRule[]): MountRule | null {
  const byPath = new Map(rules.flatMap((rule) => (rule.as === 'link' ? [] : [[rule.path, rule] as const])));
  for (let at = path; ; at = dirname(at)) {
    const rule = byPath.get(at);
    if (rule !== undefined) return rule;
    if (at === dirname(at)) return null;
  }
}

/** Whether the host's files at this path are visible. */
export function isSeen(path: string, rules: readonly MountRule[]): boolean {
  const rule = ruleAt(path, rules);
  return rule === null || rule.as === 'read-only' || rule.as === 'writable';
}

/** Whether a process inside can write at this path. */
export function isWritable(path: string, rules: readonly MountRule[]): boolean {
  const rule = ruleAt(path, rules);
  return rule !== null && (rule.as === 'writable' || rule.as === 'replaced' || rule.as === 'private');
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** The mount options for bubblewrap, over a read-only root. `empty` is an empty folder of the host. */
export function bubblewrapMounts(rules: readonly MountRule[], empty: string): readonly string[] {
  const ordered = orderRules(rules);
  const holdsOthers = (folder: string) => ordered.some(({ path }) => path !== folder && isBelow(path, folder));
  return ordered.flatMap((rule) => (rule.as === 'hidden' && rule.isFolder && !holdsOthers(rule.path) ? emptied(rule.path, empty) : mountOf(rule)));
}

/**
 * Covers another program's folder, which may vanish before bubblewrap mounts over it; bubblewrap cannot create it again in a read-only folder. But it skips a
 * source that does not exist, so the source's path goes through the folder itself.
 */
function emptied(folder: string, empty: string): readonly string[] {
  return ['--ro-bind-try', `${folder}${'/..'.repeat(depthOf(folder))}${empty}`, folder];
}

/**
 * Only a mount point cannot be renamed. A folder between a writable one and a sealed one below it could be moved away together with the seal, and replaced. So
 * each such folder becomes a mount point too.
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

/** Uses the `-try` options where a path may vanish: then there is nothing left to protect. */
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
      return ['--perms', /\/(tmp|shm)$/.test(rule.path) ? '1777' : '0700', '--tmpfs', rule.path];
    case 'link':
      return ['--symlink', rule.to, rule.path];
    case 'hidden':
      return rule.isFolder ? ['--perms', '0555', '--tmpfs', rule.path] : ['--dev-bind', '/dev/null', rule.path];
  }
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

/** Creates the links on the way to a path, so that it leads to the same place inside. */
export function linkRules(links: readonly { readonly path: string; readonly to: string }[] = []): readonly MountRule[] {
  return links.map(({ path, to }) => ({ path, as: 'link', to }));
}

/** Creates the folders of a path below an existing one. Failures (a file in its place, a read-only disk) do not prevent the start. */
export async function makeFolderIn(base: string, name: string, mode = 0o755): Promise<void> {
  await makeFoldersBelow(base, join(base, name), mode).catch(() => undefined);
}

/** Creates an empty file unless the name is taken. */
export async function makeFile(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o644);
    await handle.close();
  } catch (error) {
    if (!['EEXIST', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].some((code) => hasCode(error, code))) throw error;
  }
}
