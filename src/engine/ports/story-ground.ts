import type { StoryChanges } from '../../journal/words/story.ts';

/** The branch and the working copy that stories are worked on, one after the other, and the file that lists them. */
export interface StoryGround {
  /** How they are now. What git cannot do is thrown as an Error with one line. */
  look(): Promise<GroundSight>;
  /** The file as it lies in the working copy: never through a link, never a pipe, never more than it may be. */
  readPlan(): Promise<PlanText>;
  /** Makes branch and working copy something the loop answers for. Done twice it is done once. */
  settle(wish: GroundWish): Promise<SettledGround>;
  /** Writes the file, and adds that entry to `progress.txt` beside it; commits them alone, if HEAD has them otherwise. Done twice it is done once. */
  recordPlan(
    text: string,
    message: string,
    entry?: string,
  ): Promise<{ readonly head: string; readonly commit: string | null; readonly problem: string | null }>;
  /** What these commits changed, for somebody who cannot ask git. Null: git cannot tell. */
  changesIn(wish: ChangesWish): Promise<StoryChanges | null>;
}

export interface ChangesWish {
  /** None: the commits are looked for by their messages. */
  readonly ranges: readonly { readonly from: string; readonly to: string }[];
  readonly story: string;
  /** Whether the changed files themselves are wanted too. */
  readonly files: boolean;
}

export interface GroundSight {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** The working copy with all that is not ignored; its objects are kept in the repository. */
  readonly tree: string;
  /** Paths in which it differs from HEAD. */
  readonly dirty: readonly string[];
}

/** `refused`: a link, a folder, too large, not readable, not UTF-8; `why` says it in words that fit behind "tasks.json". */
export type PlanText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'missing' } | { readonly kind: 'refused'; readonly why: string };

export interface GroundWish {
  readonly branch: string;
  /** Branch and working copy before the agent was let in. */
  readonly head: string;
  readonly tree: string;
  /** What is put back to how it is in that tree: these paths only, or all but these. From the top of the work tree; a folder means all in it. */
  readonly putBack: {
    readonly kind: 'only' | 'all-but';
    readonly paths: readonly string[];
    /** And what matches these patterns of git's, but never the list of stories. */
    readonly patterns?: readonly string[];
  };
  /** Whoever comes next must find all as it was before: also what the agent has committed is taken off the branch, and kept under the ref. */
  readonly forget: boolean;
  /** What the list of stories must say before anything is committed; null: what it says. */
  readonly plan: string | null;
  /** Of the commit of what an agent has left, if it has; of one that only puts something back; and of one that changes nothing but the list. */
  readonly message: string;
  readonly putBackMessage: string;
  readonly planMessage: string;
  /** Keeps what is put back, and the branch if it is put back. */
  readonly keptRef: string;
}

export interface SettledGround {
  readonly head: string;
  /** Of that commit; the working copy is the same. */
  readonly tree: string;
  /** The commit of what the agent had not committed, and of what was put back; null: there was nothing to commit. */
  readonly commit: string | null;
  /** Whether the agent itself had left anything uncommitted, beside the list of stories. */
  readonly leftovers: boolean;
  /** Paths that were put back, and where what the agent had made of them is kept. */
  readonly undone: readonly string[];
  readonly kept: string | null;
  /** Why the branch was put back to where it was: its commits were taken away or rewritten. All that was on it since is kept under the ref. Null: it was not. */
  readonly rewound: string | null;
  /** What the project's own commit hook said when it refused what was left; it is committed all the same, so that nothing is lost. */
  readonly hook: string | null;
}
