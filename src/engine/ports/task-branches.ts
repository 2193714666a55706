/** What a crew wants of git: a branch and a worktree for each task, and one base that only green results move. Every answer is data, also after an abort; it throws only for what is a bug. */
export interface TaskBranches {
  /**
   * Makes the worktree of a task, or finds the one that an earlier try has made. A branch that is named in `from` is begun with: whoever had it
   * is dead or has let it go, so what is left in its worktree is settled first, and goes along.
   */
  open(
    wish: { readonly branch: string; readonly from: string | null; readonly pathspecs: readonly string[] },
    signal: AbortSignal,
  ): Promise<OpenedBranch | Trouble>;
  /** Commits all that is not committed there, with that message; then takes out what the branch has changed in these pathspecs, in a commit of its own. */
  settle(path: string, wish: SettleWish): Promise<SettledBranch | Trouble>;
  /** The merge seat is the caller's. Begins on the base as it is now, with the operator's own commits in it, and merges that commit, as objects alone. */
  merge(wish: { readonly head: string; readonly pathspecs: readonly string[] }, signal: AbortSignal): Promise<Merging | MergeConflict | Trouble>;
  /** The commit on the base under which the work of the task with that slug was merged by this number; null if it never was. */
  merged(task: string, n: number): Promise<string | null>;
  /** Null where git cannot tell. */
  treeOf(commit: string): Promise<string | null>;
  /** Lets the operator's branch follow the base where that loses nothing: fast-forward only, and never over what is not committed. Null: it is there. */
  follow(): Promise<string | null>;
  /** Merges the base into a worktree and leaves the conflicts there. */
  bringBase(path: string): Promise<{ readonly kind: 'brought'; readonly base: string; readonly conflicts: readonly string[] } | Trouble>;
  /** Takes a worktree away. What is not committed is kept under that ref first. The branch goes only if its work is on the base. */
  close(wish: {
    readonly path: string;
    readonly branch: string;
    readonly isMerged: boolean;
    readonly keepAs: string;
  }): Promise<{ readonly kind: 'closed'; readonly kept: string | null } | Trouble>;
}

export interface Trouble {
  readonly kind: 'trouble';
  /** One line. */
  readonly why: string;
}

export interface OpenedBranch {
  readonly kind: 'opened';
  readonly path: string;
  readonly cwd: string;
  /** The commit of the base it can be compared with. */
  readonly base: string;
}

export interface SettleWish {
  readonly message: string;
  readonly base: string;
  readonly pathspecs: readonly string[];
  /** Patterns of what no agent may change: it is what it was where the branch began, and all that was made of it is kept under the ref. */
  readonly protect?: { readonly patterns: readonly string[]; readonly keptRef: string };
}

export interface SettledBranch {
  readonly kind: 'settled';
  readonly head: string;
  readonly tree: string;
  /** Whether it has anything that the base has not. */
  readonly changed: boolean;
  /** Protected paths that were put back. */
  readonly restored: readonly string[];
}

export interface MergeConflict {
  readonly kind: 'conflict';
  readonly paths: readonly string[];
}

/** A merge that is not yet on any branch. One that is never landed leaves nothing behind. */
export interface Merging {
  readonly kind: 'merging';
  readonly tree: string;
  /** The commit that it is merged onto: all of it was proven before, or is the operator's. */
  readonly onto: string;
  /** What the pathspecs name of that tree, as files: what is written here is landed, and no gate ever runs here. */
  readonly planFolder: string;
  /** The whole of that tree as files, for gates: what they leave there is not landed. The top of that work tree, and where commands run in it. */
  checkOut(signal: AbortSignal): Promise<{ readonly kind: 'checked-out'; readonly path: string; readonly cwd: string } | Trouble>;
  /** Which of these paths are in that tree: files, links, and folders that hold a file that is not hidden. */
  holds(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Commits that tree, with these files as they are in the plan's folder then, and moves the base, with the ref that remembers the task, in one transaction. */
  land(wish: {
    /** Its slug. */
    readonly task: string;
    readonly n: number;
    readonly message: string;
    readonly pathspecs: readonly string[];
  }): Promise<{ readonly kind: 'landed'; readonly commit: string } | { readonly kind: 'moved' } | Trouble>;
  /** Keeps the merged result under that ref, for a person to look at. Null: it is kept. */
  keep(ref: string): Promise<Trouble | null>;
}
