import { readdir, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../kit/pure/text.ts';
import type { Captured } from '../../process/capture.ts';
import { firstComplaint } from '../git/git-command.ts';
import { differingPaths } from '../git/git-tree.ts';
import { baseRef, commitsOf, headRef, refsAmong } from './git-task-base.ts';
import type { TaskGit } from './git-task-place.ts';
import { keepFiles } from './keep-files.ts';

/** Brings the operator's branch forward to the base, or to another ref. Null if it is there, else one line that says why not. */
export async function followBase(ground: TaskGit, baseName = baseRef(ground.base)): Promise<string | null> {
  const name = headRef(ground.base);
  const [base = null, operator = null] = await commitsOf(ground, [baseName, name]);
  if (base === null || base === operator) return null;
  if (operator === null) return `the branch ${ground.base} is gone: the results are in ${baseName}`;
  const path = await whereCheckedOut(ground, name);
  if (path !== '') return await mergeThere(ground, path, { from: operator, to: base, baseName });
  const user = await whoRebases(ground, name);
  if (user !== null) return `${ground.base} is being rebased or bisected in ${user}: the results are in ${baseName}`;
  if ((await ground.git(['merge-base', '--is-ancestor', operator, base])).code !== 0) return apart(ground, baseName);
  const moved = await ground.git(['update-ref', '-m', 'ralph: fast-forward', name, base, operator]);
  return moved.code === 0 ? null : `${ground.base} cannot follow: ${oneLine(firstComplaint(moved))}`;
}

/** Usually the operator's work tree, and then the file HEAD says so. Empty if nowhere. */
async function whereCheckedOut(ground: TaskGit, name: string): Promise<string> {
  const head = await readFile(join(await ground.gitDir(), 'HEAD'), 'utf8').catch(() => '');
  if (head === `ref: ${name}\n`) return ground.topLevel;
  return (await refsAmong(ground, [name])).get(name)?.checkedOutIn ?? '';
}

const apart = ({ base }: TaskGit, baseName: string) => `${base} has commits that do not go together with the results: merge ${baseName} into it by hand`;

interface Step {
  /** The ref that has the results. */
  readonly baseName: string;
  readonly from: string;
  readonly to: string;
}

/** Git itself refuses to touch uncommitted changes; ignored files are the operator's too. If it stops half-way, the files are put back. */
async function mergeThere(ground: TaskGit, path: string, step: Step): Promise<string | null> {
  const cannot = (why: string) => `${ground.base} cannot follow in ${path}: ${why}`;
  const paths = await differingPaths(ground.git, { ...step, own: {} });
  const lacking = await lackingSpace(ground, path, { to: step.to, paths: new Set(paths) });
  const later = `later: git merge --ff-only ${step.baseName}`;
  if (lacking !== null) return cannot(`${lacking}; ${later}`);
  const words = ['merge', '--ff-only', '--quiet', '--no-stat', '--no-autostash', '--no-overwrite-ignore', '--no-verify-signatures', step.to];
  try {
    using kept = keepFiles({ git: ground.git, top: path, folder: join(await ground.commonDir(), 'ralph') }, paths);
    const merged = await ground.git(['-C', path, ...words], {});
    if (merged.code === 0) return null;
    if (/not possible to fast-forward/i.test(merged.stderr)) return apart(ground, step.baseName);
    const isRestored = await kept.restore();
    return cannot(`${reasonOf(merged)}${isRestored ? `; its files are as they were; ${later}` : ''}`);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return cannot(oneLine(error.message));
  }
}

const KIB = 1024;
/** With more than this, nobody counts. */
const PLENTY = KIB ** 3;
/** What a file takes at least, and what git itself writes. */
const BLOCK = 4 * KIB;
const GITS_OWN = 256 * KIB;

/** Why the new files do not fit; null if they do, or if the disk does not say. */
async function lackingSpace(
  { git }: TaskGit,
  path: string,
  { to, paths }: { readonly to: string; readonly paths: ReadonlySet<string> },
): Promise<string | null> {
  const disk = await statfs(path).catch(() => null);
  const free = disk === null || disk.blocks === 0 ? PLENTY : disk.bavail * disk.bsize;
  if (free >= PLENTY) return null;
  const { stdout } = await git(['ls-tree', '-r', '-l', '-z', '--full-tree', to]);
  const sizes = [...stdout.matchAll(/\d+ blob \w+ +(\d+)\t([^\0]+)\0/g)].filter(([, , name = '']) => paths.has(name)).map(([, size]) => Number(size));
  const needed = sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK) * BLOCK, GITS_OWN);
  return needed <= free ? null : `the disk is full: the files need ${Math.ceil(needed / KIB)} KiB, and ${Math.floor(free / KIB)} KiB are free`;
}

/** Git lists the files one by one, each after a tab. */
function reasonOf(merged: Captured): string {
  const files = merged.stderr.split('\n').filter((line) => line.startsWith('\t'));
  if (files.length === 0) return oneLine(firstComplaint(merged).replace(/^\w+: /, ''));
  const named = files.slice(0, 3).map((file) => oneLine(file));
  return `what is not committed there would be lost: ${named.join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
}

const USING = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START'];

/** Meanwhile HEAD is on no branch, but the operation returns to the branch at its end. */
async function whoRebases({ commonDir, base }: TaskGit, name: string): Promise<string | null> {
  const common = await commonDir();
  const others = (await readdir(join(common, 'worktrees')).catch(() => [])).map((id) => join(common, 'worktrees', id));
  for (const admin of [common, ...others]) {
    for (const file of USING) {
      const using = (await readFile(join(admin, file), 'utf8').catch(() => '')).trim();
      if (using === name || using === base) return admin;
    }
  }
  return null;
}
