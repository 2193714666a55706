import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstComplaint, type Git, headOf } from './git-command.ts';
import type { GitPlace, Known } from './git-place.ts';

export const nothingKnown = (): Known => ({ trees: new Map(), authors: new Set(), cleanIndex: '' });

/** The commit a work tree is on; null before the first one. A loop asks all the time, so git is asked only where its files do not tell. */
export async function headIn({ git, gitDir, commonDir }: Pick<GitPlace, 'git' | 'gitDir' | 'commonDir'>): Promise<string | null> {
  const text = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  const branch = /^ref: (refs\/heads\/\S+)\n$/.exec(text)?.[1];
  return (branch === undefined ? idIn(text) : await looseRef(commonDir, branch)) ?? (await headOf(git));
}

/** A ref that has a file of its own is what that says, wherever else git has it. Null: who knows. */
export async function looseRef(commonDir: string, name: string): Promise<string | null> {
  return idIn(await readFile(join(commonDir, name), 'utf8').catch(() => ''));
}

const idIn = (text: string) => (/^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/.test(text) ? text.trimEnd() : null);

const MOST_TREES = 1_000;

export async function knownTreeOf({ git, known: { trees } }: Pick<GitPlace, 'git' | 'known'>, commit: string): Promise<string> {
  const tree = trees.get(commit) ?? (await treeOf(git, commit));
  if (trees.size >= MOST_TREES) trees.clear();
  trees.set(commit, tree);
  return tree;
}

export async function treeOf(git: Git, commit: string): Promise<string> {
  const found = await git(['rev-parse', '--verify', `${commit}^{tree}`]);
  if (found.code !== 0) throw new Error(firstComplaint(found));
  return found.stdout.trim();
}
