import { join } from 'node:path';
import type { ProcessWatch } from '../../process/process-request.ts';
import { type Git, untilUnlocked, type Variables } from '../git/git-command.ts';
import { type Behind, type CommitPlace, type HistoryPlace, nothingKnown } from '../git/git-place.ts';
import { openGitScratch } from '../git/git-scratch.ts';
import { must } from '../tasks/locks.ts';

/** Where stories are worked on, as whoever opens the ground knows it. */
export interface StoryPlace {
  readonly git: Git;
  /** Without the variables that would lead git elsewhere. */
  readonly env: Variables;
  /** The top of the work tree. */
  readonly topLevel: string;
  /** The list of stories, from the top. */
  readonly plan: string;
  /** Told of all that the project's commit hooks start. */
  readonly guardian: ProcessWatch;
  /** What stands around them; null: nothing. */
  readonly behind: Behind | null;
  /** In the environment of all that they start. */
  readonly marker: string;
  /** How long they may take. */
  readonly hookTimeoutMs: number;
  /** Once it is aborted they are not waited for any more; what is left is committed without them. */
  readonly signal: AbortSignal;
}

/** The same, with what is asked once and then known. */
export interface StoryRepo extends HistoryPlace, CommitPlace, Omit<StoryPlace, 'git' | 'env'> {
  /** Waits for locks. */
  readonly git: Git;
  /** The list of stories, absolute. */
  readonly planPath: string;
}

/** Signing, upkeep and submodules are the user's, and none of them belongs into what we do behind their back. */
const QUIETLY = ['commit.gpgSign=false', 'maintenance.auto=false', 'submodule.recurse=false'].flatMap((setting) => ['-c', setting]);

export async function openStoryRepo(place: StoryPlace): Promise<StoryRepo> {
  const git: Git = (args, own) => untilUnlocked(() => place.git([...QUIETLY, ...args], own));
  const names = ['--git-common-dir', '--git-dir', '--git-path', 'index', '--git-path', 'objects'];
  const found = must(await git(['rev-parse', '--path-format=absolute', ...names]), 'git cannot read the repository');
  const [commonDir = '', gitDir = '', indexPath = '', objectsPath = ''] = found.split('\n');
  const scratch = openGitScratch({ indexPath, objectsPath });
  return { ...place, git, cwd: place.topLevel, commonDir, gitDir, indexPath, scratch, known: nothingKnown(), planPath: join(place.topLevel, place.plan) };
}

/** Pathspec of all there is. */
export const EVERYTHING = ':(top,glob)**';

/** Of a file, or of a folder with all that is in it; whatever its name looks like. */
export const literally = (path: string, magic = '') => `:(top,${magic}literal)${path.replace(/\/+$/, '')}`;
