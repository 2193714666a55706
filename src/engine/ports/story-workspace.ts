import type { StoryChanges } from '../../journal/words/story.ts';

/** The branch and the working copy for stories, which are worked on one after the other, and the file that lists them. */
export interface StoryWorkspace {
  /** The current branch and working copy. Throws an Error with one line when git fails. */
  look(): Promise<StoryWorkspaceState>;
  /** Reads the file from the working copy. It never follows a link, never waits for a pipe, and never reads more than the size limit. */
  readPlan(): Promise<PlanText>;
  /** Commits what an agent left and reverts what it may not change. Doing it twice has the same result. */
  settle(request: SettleStoriesRequest): Promise<SettledStoryWorkspace>;
  /** Writes the file and appends that entry to `progress.txt` beside it. Commits both, alone, if HEAD differs. Doing it twice has the same result. */
  recordPlan(text: string, message: string, entry?: string): Promise<RecordedPlan>;
  /** What these commits changed, for an agent that cannot run git. Null when git cannot tell. */
  changesIn(request: ChangesRequest): Promise<StoryChanges | null>;
}

export interface RecordedPlan {
  readonly head: string;
  /** The tree of `head`; null when git cannot tell. */
  readonly tree: string | null;
  /** Null: HEAD has the same files. */
  readonly commit: string | null;
  readonly problem: string | null;
}

export interface ChangesRequest {
  /** Empty: the commits are found by their messages. */
  readonly ranges: readonly { readonly from: string; readonly to: string }[];
  readonly story: string;
  /** Whether to return the changed files too. */
  readonly files: boolean;
}

export interface StoryWorkspaceState {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** The tree of the working copy without ignored files; its objects are stored in the repository. */
  readonly tree: string;
  /** Paths in which it differs from HEAD. */
  readonly dirty: readonly string[];
}

/** `refused`: a link, a folder, too large, not readable, or not UTF-8. `why` completes a sentence that starts with "tasks.json". */
export type PlanText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'missing' } | { readonly kind: 'refused'; readonly why: string };

export interface SettleStoriesRequest {
  readonly branch: string;
  /** Branch and working copy before the agent started. */
  readonly head: string;
  readonly tree: string;
  /** What to revert to that tree: only these paths, or all but these. Paths are relative to the top of the work tree; a folder means everything in it. */
  readonly revert: {
    readonly kind: 'only' | 'all-but';
    readonly paths: readonly string[];
    /** Git pathspecs to revert too, but never the list of stories. */
    readonly patterns?: readonly string[];
  };
  /** The next agent must find everything as it was before: the agent's commits are removed from the branch too, and kept under the ref. */
  readonly forget: boolean;
  /** The text that the list of stories must have before anything is committed; null: leave it as it is. */
  readonly plan: string | null;
  /** Commit messages: for what the agent left uncommitted, for a commit that only reverts, and for a commit that only changes the list. */
  readonly message: string;
  readonly putBackMessage: string;
  readonly planMessage: string;
  /** The ref that keeps reverted changes, and the branch if it is reset. */
  readonly keptRef: string;
}

export interface SettledStoryWorkspace {
  readonly head: string;
  /** The tree of that commit and of the working copy. */
  readonly tree: string;
  /** The commit of the agent's uncommitted work and of the reverts; null: there was nothing to commit. */
  readonly commit: string | null;
  /** Whether the agent left anything uncommitted besides the list of stories. */
  readonly leftovers: boolean;
  /** Paths that were reverted, and the ref that keeps the agent's version of them. */
  readonly reverted: readonly string[];
  readonly kept: string | null;
  /** Why the branch was reset: its commits had been removed or rewritten. Everything since is kept under the ref. Null: it was not reset. */
  readonly rewound: string | null;
  /** The output of the project's commit hook when it refused the leftovers. They are committed anyway, so that nothing is lost. */
  readonly hook: string | null;
}
