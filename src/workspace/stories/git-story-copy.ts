import { pathExists } from '../../kit/files/read.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { Variables } from '../git/git-command.ts';
import { feedGit } from '../git/git-feed.ts';
import { leftOut } from '../git/git-left-out.ts';
import { headIn } from '../git/git-place.ts';
import { type Touched, touchedSince } from '../git/git-touched.ts';
import { differingPaths, nameTree } from '../git/git-tree.ts';
import type { TaskState } from '../tasks/git-task-state.ts';
import { GitTrouble, must } from '../tasks/locks.ts';
import { EVERYTHING, type StoryRepo } from './git-story-place.ts';

/** An index that Ralph may change. If the operator's is gone, it starts from HEAD, so that a tracked file is not dropped because it is ignored. */
export async function ownIndex(repo: StoryRepo): Promise<Variables> {
  const { git, scratch, indexPath } = repo;
  const own = await scratch.keeping();
  if (!(await pathExists(indexPath)) && (await headIn(repo)) !== null) must(await git(['read-tree', 'HEAD'], own), 'the index cannot be made anew');
  return own;
}

/** The working copy: its contents, how it differs from a tree, and what a commit of everything would contain. */
export interface CopyState extends Touched {
  /** Skips the files that the operator told git to skip; `now` includes them. */
  readonly committed: string;
}

type Submodules = TaskState['submodules'];

/** Without a tree it is compared with what a commit would contain. Throws if it has something that no commit can contain. */
export async function seeCopy(repo: StoryRepo, tree: string | null, submodules: Submodules): Promise<CopyState> {
  const own = await ownIndex(repo);
  const committed = await committedTree(repo, submodules, own);
  return { committed, ...(await touchedSince(repo, { tree: tree ?? committed, pathspecs: [EVERYTHING], own, isClean: true })) };
}

async function committedTree(repo: StoryRepo, submodules: Submodules, own: Variables): Promise<string> {
  const { git } = repo;
  const edited = submodules.find(({ isEdited }) => isEdited);
  if (edited) throw new GitTrouble(`what was changed in the submodule ${oneLine(edited.path)} is not committed there`);
  const { tree, problem, said } = await nameTree(git, own);
  if (tree === null) throw new GitTrouble(oneLine(problem ?? 'the working copy cannot be read'));
  const lines = await leftOut(git, { parent: await headIn(repo), tree, said }, own);
  const stray = lines.find((line) => !submodules.some(({ path }) => line.startsWith(`${oneLine(path)}: `)));
  if (stray !== undefined) throw new GitTrouble(`no commit can hold ${stray}`);
  if (problem !== null) throw new GitTrouble(oneLine(problem));
  return tree;
}

/** Looks once, and again only after a call of `changed`. */
export interface CopyWatch {
  see(): Promise<CopyState>;
  changed(): void;
}

export function watchCopy(repo: StoryRepo, tree: string, submodules: Submodules): CopyWatch {
  let last: Promise<CopyState> | null = null;
  return {
    see() {
      last ??= seeCopy(repo, tree, submodules);
      return last;
    },
    changed() {
      last = null;
    },
  };
}

/** Unhides what an agent has changed in files that git was told to skip. What the operator has hidden stays hidden. */
export async function unhide({ git, env, topLevel: cwd }: StoryRepo, { now, paths, committed }: CopyState): Promise<boolean> {
  if (now === committed) return false;
  const touched = new Set(paths.map(({ path }) => path));
  const hidden = (await differingPaths(git, { from: committed, to: now, own: {} })).filter((path) => touched.has(path));
  const stdin = hidden.map((path) => `${path}\0`).join('');
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree'])
    if (hidden.length > 0) await feedGit({ cwd, env }, { args: ['update-index', flag, '-z', '--stdin'], stdin, mostBytes: 4096 });
  return hidden.length > 0;
}
