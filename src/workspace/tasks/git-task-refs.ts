import { untilFree } from '../git/git-command.ts';
import { feedGit } from '../git/git-feed.ts';
import { looseRef } from '../git/git-place.ts';
import type { TaskGit } from './git-task-place.ts';
import { must, openLockWatch } from './locks.ts';

export const headRef = (branch: string) => `refs/heads/${branch}`;
export const baseRef = (base: string) => `refs/ralph/base/${base}`;
export const mergedRef = (task: string, n: number) => `refs/ralph/merged/${task}.${n}`;

export interface Ref {
  readonly commit: string;
  /** The worktree that has it checked out; empty when none has. */
  readonly checkedOutIn: string;
}

/** Those of the refs that exist, by their full names, all in one look. */
export async function refsAmong({ git }: Pick<TaskGit, 'git'>, names: readonly string[]): Promise<ReadonlyMap<string, Ref>> {
  const listed = must(await git(['for-each-ref', '--format=%(refname)%00%(objectname)%00%(worktreepath)', ...names]), 'the refs cannot be read');
  const lines = listed.split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split('\0')).map(([name = '', commit = '', checkedOutIn = '']) => [name, { commit, checkedOutIn }]));
}

/** Where these refs are now, in that order; null: there is none. A crew asks all the time, so git is asked only where its files do not tell. */
export async function commitsOf(ground: Pick<TaskGit, 'git' | 'commonDir'>, names: readonly string[]): Promise<readonly (string | null)[]> {
  const common = await ground.commonDir();
  const loose = await Promise.all(names.map((name) => looseRef(common, name)));
  if (!loose.includes(null)) return loose;
  const refs = await refsAmong(ground, names);
  return names.map((name) => refs.get(name)?.commit ?? null);
}

const MOST_BYTES = 64 * 1024;

/** All of the lines or none, as `git update-ref --stdin` reads them. Null, or git's complaint. */
export async function moveRefs({ env, topLevel, commonDir, root }: TaskGit, lines: readonly string[]): Promise<string | null> {
  const stdin = `${lines.join('\n')}\n`;
  const watch = openLockWatch(async () => ({ commonDir: await commonDir(), root: await root() }));
  let complaint = '';
  const run = async () => {
    const fed = await feedGit({ cwd: topLevel, env }, { args: ['update-ref', '--stdin'], stdin, mostBytes: MOST_BYTES });
    complaint = fed.isWhole ? '' : fed.stderr.trim() || 'git ended without a word';
    return complaint;
  };
  return (await untilFree(run, { complaintOf: (said) => said, beforeTheNext: () => watch.look(complaint) })) || null;
}
