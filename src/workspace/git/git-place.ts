import type { WallPort } from '../../engine/ports/wall.ts';
import type { ProcessWatch } from '../../process/process-request.ts';
import type { Git, Variables } from './git-command.ts';
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
}

export interface HistoryPlace extends GitPlace {
  readonly scratch: GitScratch;
  readonly topLevel: string;
}

/** What stands around the hooks of a commit, and what they find in their environment. */
export interface Behind {
  readonly wall: WallPort;
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
