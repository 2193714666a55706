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
  /** The worktree that has it checked out; empty if none has. */
  readonly checkedOutIn: string;
}

/** The refs among these that exist, by their full names, with one git command. */
export async function refsAmong({ git }: Pick<TaskGit, 'git'>, names: readonly string[]): Promise<ReadonlyMap<string, Ref>> {
  const listed = must(await git(['for-each-ref', '--format=%(refname)%00%(objectname)%00%(worktreepath)', ...names]), 'the refs cannot be read');
  const lines = listed.split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split('\0')).map(([name = '', commit = '', checkedOutIn = '']) => [name, { commit, checkedOutIn }]));
}

/**
 * The commits of these refs, in that order; null if a ref does not exist. A loop asks all the time, so this reads git's files and runs git only if they do
 * not tell.
 */
export async function commitsOf(ground: Pick<TaskGit, 'git' | 'commonDir'>, names: readonly string[]): Promise<readonly (string | null)[]> {
  const common = await ground.commonDir();
  const loose = await Promise.all(names.map((name) => looseRef(common, name)));
  if (!loose.includes(null)) return loose;
  const refs = await refsAmong(ground, names);
  return names.map((name) => refs.get(name)?.commit ?? null);
}

const MOST_BYTES = 64 * 1024;

/** Applies all of the lines or none, as `git update-ref --stdin` reads them. Returns null, or git's complaint. */
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
