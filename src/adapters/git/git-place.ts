import type { ProcessWatch } from '../../kit/process/process-watch.ts';
import type { Git, Variables } from './git-command.ts';
import type { GitScratch } from './git-scratch.ts';

export interface GitPlace {
  readonly git: Git;
  readonly cwd: string;
  /** Without the variables that would lead git elsewhere. */
  readonly env: Variables;
  /** The folder of this worktree alone. */
  readonly gitDir: string;
}

export interface HistoryPlace extends GitPlace {
  readonly scratch: GitScratch;
  readonly topLevel: string;
}

export interface CommitPlace extends GitPlace {
  readonly scratch: GitScratch;
  /** The user's own. */
  readonly indexPath: string;
  readonly guardian: ProcessWatch;
}
