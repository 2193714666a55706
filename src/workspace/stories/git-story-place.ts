import { join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { ProcessWatch } from '../../process/process-request.ts';
import { leftOut } from '../git/commit/git-obstacle.ts';
import { type Git, untilUnlocked, type Variables } from '../git/git-command.ts';
import { feedGit } from '../git/git-feed.ts';
import { type Behind, type CommitPlace, type HistoryPlace, headIn, nothingKnown } from '../git/git-place.ts';
import { openGitScratch } from '../git/git-scratch.ts';
import { type Touched, touchedSince } from '../git/git-touched.ts';
import { differingPaths, nameTree } from '../git/git-tree.ts';
import type { TaskState } from '../tasks/git-task-state.ts';
import { GitTrouble, must } from '../tasks/locks.ts';

/** The place where stories are worked on, as its opener knows it. */
export interface StoryPlace {
  readonly git: Git;
  /** Without the variables that would lead git to another repository. */
  readonly env: Variables;
  /** The top of the work tree. */
  readonly topLevel: string;
  /** The list of stories, relative to the top. */
  readonly plan: string;
  /** Watches everything that the project's commit hooks start. */
  readonly guardian: ProcessWatch;
  /** The sandbox around the hooks; null: none. */
  readonly behind: Behind | null;
  /** In the environment of everything that the hooks start. */
  readonly marker: string;
  /** How long the hooks may take. */
  readonly hookTimeoutMs: number;
  /** After an abort Ralph no longer waits for the hooks and commits leftovers without them. */
  readonly signal: AbortSignal;
}

/** The same, with values that are asked for once. */
export interface StoryRepo extends HistoryPlace, CommitPlace, Omit<StoryPlace, 'git' | 'env'> {
  /** Waits for locks. */
  readonly git: Git;
  /** The absolute path of the list of stories. */
  readonly planPath: string;
}

/** Ralph's own commits do not use the operator's signing, maintenance or submodule settings. */
const QUIETLY = ['commit.gpgSign=false', 'maintenance.auto=false', 'submodule.recurse=false'].flatMap((setting) => ['-c', setting]);

export async function openStoryRepo(place: StoryPlace): Promise<StoryRepo> {
  const git: Git = (args, own) => untilUnlocked(() => place.git([...QUIETLY, ...args], own));
  const names = ['--git-common-dir', '--git-dir', '--git-path', 'index', '--git-path', 'objects'];
  const found = must(await git(['rev-parse', '--path-format=absolute', ...names]), 'git cannot read the repository');
  const [commonDir = '', gitDir = '', indexPath = '', objectsPath = ''] = found.split('\n');
  const scratch = openGitScratch({ indexPath, objectsPath, topLevel: place.topLevel });
  return { ...place, git, cwd: place.topLevel, commonDir, gitDir, indexPath, scratch, known: nothingKnown(), planPath: join(place.topLevel, place.plan) };
}

/** The pathspec of all files. */
export const EVERYTHING = ':(top,glob)**';

/** The pathspec of a file, or of a folder with everything in it, whatever characters the name has. */
export const literally = (path: string, magic = '') => `:(top,${magic}literal)${path.replace(/\/+$/, '')}`;

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
  const { tree, problem, said } = await nameTree(git, own, repo.scratch);
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
