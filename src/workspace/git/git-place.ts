import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeFile } from '../../engine/ports/git.ts';
import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import type { ProcessWatch } from '../../process/process-request.ts';
import { firstComplaint, type Git, headOf, type Variables } from './git-command.ts';
import type { GitScratch } from './git-scratch.ts';

export interface GitPlace {
  readonly git: Git;
  readonly cwd: string;
  /** Without the variables that would lead git elsewhere. */
  readonly env: Variables;
  /** The folder of this worktree alone. */
  readonly gitDir: string;
  /** The folder every worktree of the repository shares. */
  readonly commonDir: string;
  readonly known: Known;
}

/** What git has answered and is not asked again. */
export interface Known {
  readonly trees: Map<string, string>;
  /** The user's words for git that have led to an author. */
  readonly authors: Set<string>;
  /** HEAD and the version of the user's index when that had our own files as HEAD has them. */
  cleanIndex: string;
  /** The files of the trees that were listed last. */
  readonly files: Map<string, ListedTree>;
}

export interface ListedTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  /** Their paths: they are no files of this repository. */
  readonly submodules: readonly string[];
}

export interface HistoryPlace extends GitPlace {
  readonly scratch: GitScratch;
  readonly topLevel: string;
}

/** What stands around the hooks of a commit, and what they find in their environment. */
export interface Behind {
  readonly wall: SandboxPort;
  readonly env: Variables;
}

export interface CommitPlace extends GitPlace {
  readonly scratch: GitScratch;
  /** The user's own. */
  readonly indexPath: string;
  readonly guardian: ProcessWatch;
  /** Null: hooks run as we do. */
  readonly behind: Behind | null;
}

/** What is not the user's work does not bear the user's name, and needs none to be known. */
export const OUR_NAME: Variables = {
  GIT_AUTHOR_NAME: 'ralph',
  GIT_AUTHOR_EMAIL: 'ralph@localhost',
  GIT_COMMITTER_NAME: 'ralph',
  GIT_COMMITTER_EMAIL: 'ralph@localhost',
};

export const nothingKnown = (): Known => ({ trees: new Map(), authors: new Set(), cleanIndex: '', files: new Map() });

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
