import { join } from 'node:path';
import type { ProcessWatch } from '../../process/process-request.ts';
import { type Git, untilUnlocked, type Variables } from '../git/git-command.ts';
import { type Behind, type CommitPlace, type HistoryPlace, nothingKnown } from '../git/git-place.ts';
import { openGitScratch } from '../git/git-scratch.ts';
import { must } from '../tasks/locks.ts';

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
  const scratch = openGitScratch({ indexPath, objectsPath });
  return { ...place, git, cwd: place.topLevel, commonDir, gitDir, indexPath, scratch, known: nothingKnown(), planPath: join(place.topLevel, place.plan) };
}

/** The pathspec of all files. */
export const EVERYTHING = ':(top,glob)**';

/** The pathspec of a file, or of a folder with everything in it, whatever characters the name has. */
export const literally = (path: string, magic = '') => `:(top,${magic}literal)${path.replace(/\/+$/, '')}`;
