import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Captured } from '../../process/capture.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { firstComplaint } from '../git/git-command.ts';
import type { TaskGround } from './git-task-place.ts';
import { baseRef, commitsOf, headRef, refsAmong } from './git-task-refs.ts';

/** Null: the operator's branch is where the base is. Else one line that says why not. */
export async function followBase(ground: TaskGround): Promise<string | null> {
  const [baseName, name] = [baseRef(ground.base), headRef(ground.base)];
  const [base = null, operator = null] = await commitsOf(ground, [baseName, name]);
  if (base === null || base === operator) return null;
  if (operator === null) return `the branch ${ground.base} is gone: the results are in ${baseName}`;
  const path = await whereCheckedOut(ground, name);
  if (path !== '') return await mergeThere(ground, path, base);
  const user = await whoRebases(ground, name);
  if (user !== null) return `${ground.base} is being rebased or bisected in ${user}: the results are in ${baseName}`;
  if ((await ground.git(['merge-base', '--is-ancestor', operator, base])).code !== 0) return apart(ground);
  const moved = await ground.git(['update-ref', '-m', 'ralph: fast-forward', name, base, operator]);
  return moved.code === 0 ? null : `${ground.base} cannot follow: ${oneLine(firstComplaint(moved))}`;
}

/** Mostly where the operator is, and then the file of HEAD says so. Empty: nowhere. */
async function whereCheckedOut(ground: TaskGround, name: string): Promise<string> {
  const head = await readFile(join(await ground.gitDir(), 'HEAD'), 'utf8').catch(() => '');
  if (head === `ref: ${name}\n`) return ground.topLevel;
  return (await refsAmong(ground, [name])).get(name)?.checkedOutIn ?? '';
}

const apart = ({ base }: TaskGround) => `${base} has commits that do not go together with the results: merge ${baseRef(base)} into it by hand`;

/** Git itself refuses to touch what is not committed; ignored files are the operator's too. */
async function mergeThere(ground: TaskGround, path: string, base: string): Promise<string | null> {
  const words = ['merge', '--ff-only', '--quiet', '--no-stat', '--no-autostash', '--no-overwrite-ignore', '--no-verify-signatures', base];
  const merged = await ground.git(['-C', path, ...words], {});
  if (merged.code === 0) return null;
  if (/not possible to fast-forward/i.test(merged.stderr)) return apart(ground);
  return `${ground.base} cannot follow in ${path}: ${reasonOf(merged)}`;
}

/** Git names the files one by one, each after a tab. */
function reasonOf(merged: Captured): string {
  const files = merged.stderr.split('\n').filter((line) => line.startsWith('\t'));
  if (files.length === 0) return oneLine(firstComplaint(merged).replace(/^\w+: /, ''));
  const named = files.slice(0, 3).map((file) => oneLine(file));
  return `what is not committed there would be lost: ${named.join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
}

const USING = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START'];

/** While that is under way HEAD is on no branch, but the branch will be asked for when it ends. */
async function whoRebases({ commonDir, base }: TaskGround, name: string): Promise<string | null> {
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
