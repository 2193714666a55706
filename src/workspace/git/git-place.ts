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
  /** Without the variables that would lead git to another repository. */
  readonly env: Variables;
  /** The folder of this worktree only. */
  readonly gitDir: string;
  /** The folder that all worktrees of the repository share. */
  readonly commonDir: string;
  readonly known: Known;
}

/** Git's answers that are cached. */
export interface Known {
  readonly trees: Map<string, string>;
  /** The operator's git commands for which git found an author. */
  readonly authors: Set<string>;
  /** HEAD and the version of the operator's index at a time when Ralph's own files were in it as in HEAD. */
  cleanIndex: string;
  /** Whether the operator's settings ask for signed commits. */
  signs?: Promise<boolean>;
  /** The files of the trees that were listed last. */
  readonly files: Map<string, ListedTree>;
}

export interface ListedTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  /** The paths of submodules, which are not files of this repository. */
  readonly submodules: readonly string[];
}

export interface HistoryPlace extends GitPlace {
  readonly scratch: GitScratch;
  readonly topLevel: string;
}

/** The sandbox around the hooks of a commit, and their environment. */
export interface Behind {
  readonly wall: SandboxPort;
  readonly env: Variables;
}

export interface CommitPlace extends GitPlace {
  readonly scratch: GitScratch;
  /** The operator's own index. */
  readonly indexPath: string;
  readonly guardian: ProcessWatch;
  /** Null: hooks run without a sandbox. */
  readonly behind: Behind | null;
}

/** Commits that are not the operator's work do not have the operator's name, and work without a configured one. */
export const OUR_NAME: Variables = {
  GIT_AUTHOR_NAME: 'ralph',
  GIT_AUTHOR_EMAIL: 'ralph@localhost',
  GIT_COMMITTER_NAME: 'ralph',
  GIT_COMMITTER_EMAIL: 'ralph@localhost',
};

export const nothingKnown = (): Known => ({ trees: new Map(), authors: new Set(), cleanIndex: '', files: new Map() });

/** The commit that a work tree is on; null before the first one. A loop asks all the time, so this reads git's files and runs git only if they do not tell. */
export async function headIn({ git, gitDir, commonDir }: Pick<GitPlace, 'git' | 'gitDir' | 'commonDir'>): Promise<string | null> {
  const text = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  const branch = /^ref: (refs\/heads\/\S+)\n$/.exec(text)?.[1];
  return (branch === undefined ? idIn(text) : await looseRef(commonDir, branch)) ?? (await headOf(git));
}

/** A ref with its own file has the value in it, whatever git has elsewhere. Null: unknown. */
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
