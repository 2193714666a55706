import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../kit/pure/one-line.ts';
import { lostCommits } from './git-task-head.ts';
import { keepUnder } from './git-task-keep.ts';
import type { TaskGround } from './git-task-place.ts';
import { baseRef, headRef, refsAmong } from './git-task-refs.ts';
import { removeTaskWorktree } from './git-task-remove.ts';
import { seeWorktree, type TaskSight } from './git-task-sight.ts';
import { GitTrouble, must } from './git-task-trouble.ts';
import { findWorktree, hasFolder, isReady, type TaskWorktree } from './git-task-worktree.ts';

interface CloseWish {
  readonly path: string;
  readonly branch: string;
  readonly isMerged: boolean;
  readonly keepAs: string;
}

interface Closed {
  readonly kind: 'closed';
  readonly kept: string | null;
}

/** `landed`: what of that branch is known to be on the base. One that was never worked on is there too, and goes as well. */
export async function closeTask(ground: TaskGround, { path, branch, keepAs }: CloseWish, landed: string | null): Promise<Closed> {
  const worktree = await findWorktree(ground, path);
  const isWhole = worktree !== null && (await isReady(worktree));
  const kept = isWhole ? await keepWhatIsLeft(ground, worktree, { branch, keepAs }) : await keptBefore(ground, keepAs);
  await removeTaskWorktree(ground, path);
  await deleteIfOnBase(ground, branch, landed);
  return { kind: 'closed', kept };
}

async function keptBefore(ground: TaskGround, keepAs: string): Promise<string | null> {
  return (await refsAmong(ground, [keepAs])).has(keepAs) ? keepAs : null;
}

/** What is in no commit, and commits that nothing else names. Trouble when there is something that no ref can keep: then the worktree stays. */
async function keepWhatIsLeft(ground: TaskGround, worktree: TaskWorktree, wish: Pick<CloseWish, 'branch' | 'keepAs'>): Promise<string | null> {
  const seen = (await hasFolder(worktree)) ? await seeWorktree(worktree) : null;
  await refuseToLose(worktree, seen);
  const head = seen?.head ?? (await ground.git([`--git-dir=${worktree.admin}`, 'rev-parse', '--verify', '--quiet', 'HEAD'])).stdout.trim();
  const isElsewhere = seen?.branch !== wish.branch;
  const named = isElsewhere ? await namedCommits(ground, wish.branch) : [head];
  const lost = await lostCommits(atAnyPlace(ground, worktree), named.filter(Boolean));
  const left = isElsewhere && head !== '' && !named.includes(head) ? [head, ...lost] : lost;
  if (!seen?.isDirty && left.length === 0) return null;
  const tree = seen?.isDirty ? await treeOfAll(worktree) : must(await ground.git(['rev-parse', `${left[0]}^{tree}`]), 'nothing can be kept');
  await keepUnder(ground, { tree, parents: [head, ...left], ref: wish.keepAs, message: `What was left in the worktree of ${wish.branch}` });
  return wish.keepAs;
}

/** Questions about commits need no files. */
function atAnyPlace({ git }: TaskGround, worktree: TaskWorktree): TaskWorktree {
  return { ...worktree, git };
}

async function namedCommits(ground: TaskGround, branch: string): Promise<readonly string[]> {
  const refs = await refsAmong(ground, [headRef(branch), baseRef(ground.base)]);
  return [...refs.values()].map(({ commit }) => commit);
}

async function refuseToLose({ git, admin, path }: TaskWorktree, seen: TaskSight | null): Promise<void> {
  const [submodule] = seen?.submodules ?? [];
  if (submodule) throw new GitTrouble(`${path} stays: what was changed in its submodule ${oneLine(submodule.path)} is not committed there`);
  if (seen === null || (await readdir(join(admin, 'modules')).catch(() => [])).length === 0) return;
  const own = await git(['submodule', '--quiet', 'foreach', '--recursive', 'git rev-list --max-count=1 HEAD --branches --not --remotes'], {});
  if (own.code !== 0 || own.stdout.trim() !== '') throw new GitTrouble(`${path} stays: a submodule in it has commits that are nowhere else`);
}

/** In an index of its own: whatever was staged, or is in conflict, stays as it is. */
async function treeOfAll({ git, admin, path }: TaskWorktree): Promise<string> {
  const own = { GIT_INDEX_FILE: join(admin, 'ralph-kept-index') };
  await copyFile(join(admin, 'index'), own.GIT_INDEX_FILE).catch(() => undefined);
  const added = await git(['add', '--all', '--ignore-errors', '--', ':/'], own);
  const nested = /adding embedded git repository: (.+)/.exec(added.stderr)?.[1];
  if (nested !== undefined) throw new GitTrouble(`${path} stays: ${oneLine(nested)} in it is a repository of its own`);
  must(added, `${path} stays, for not all of it can be kept`);
  return must(await git(['write-tree'], own), `${path} stays, for it cannot be kept`);
}

/** Only as it was seen to be: whoever moves it meanwhile keeps it. The branches of earlier tries, which it has gone on with, go too. */
async function deleteIfOnBase(ground: TaskGround, branch: string, landed: string | null): Promise<void> {
  const remove = (ref: string, commit: string) => ground.git(['update-ref', '-d', ref, commit]);
  const isGone = landed !== null && (await remove(headRef(branch), landed)).code === 0;
  const refs = [...(isGone ? [] : [branch]), ...earlierTries(branch)].map(headRef);
  if (refs.length === 0) return;
  const format = '--format=%(refname) %(objectname) %(worktreepath)';
  const found = await ground.git(['for-each-ref', `--merged=${baseRef(ground.base)}`, format, ...refs]);
  const lines = found.code === 0 ? found.stdout.split('\n').filter(Boolean) : [];
  for (const [ref = '', commit = '', usedIn = ''] of lines.map((line) => line.split(' '))) if (usedIn === '') await remove(ref, commit);
}

function earlierTries(branch: string): readonly string[] {
  const [, task = '', n = '1'] = /^(.+)\.(\d+)$/.exec(branch) ?? [];
  return Array.from({ length: Number(n) - 1 }, (_, index) => `${task}.${index + 1}`);
}
