/**
 * What `ralph work` asks git: a branch and a worktree for each task, and one base that only green results move. Every ending is data, also after an abort; only
 * a bug throws.
 */
export interface TaskBranches {
  /** Absent: this machine works alone. */
  readonly shared?: SharedBase;
  /**
   * Makes the worktree of a task, or finds the one of an earlier try. With `from`, it starts from that branch: its holder is dead or has released it, so what
   * is left in its worktree is settled first and taken along.
   */
  open(
    request: { readonly branch: string; readonly from: string | null; readonly pathspecs: readonly string[] },
    signal: AbortSignal,
  ): Promise<OpenedBranch | GitProblem>;
  /** Commits everything uncommitted with that message. Then reverts what the branch changed in these pathspecs, in a separate commit. */
  settle(path: string, request: SettleRequest): Promise<SettledBranch | GitProblem>;
  /**
   * The caller must hold the merge seat. Starts from the current base, including the operator's own commits, and merges the given commit without a checkout.
   */
  merge(request: { readonly head: string; readonly pathspecs: readonly string[] }, signal: AbortSignal): Promise<Merging | MergeConflict | GitProblem>;
  /** Names the files and the commit of the worktree around that folder, so that a change shows. Null when git cannot tell. */
  filesOf(cwd: string): Promise<string | null>;
  /** The commit on the base that merged the task with that slug under this number; null if there is none. */
  merged(task: string, n: number): Promise<string | null>;
  /** Null when git cannot tell. */
  treeOf(commit: string): Promise<string | null>;
  /** Fast-forwards the operator's branch to the base, never over uncommitted changes. Null: it is there; else why not. */
  follow(): Promise<string | null>;
  /** Merges the base into a worktree and leaves the conflicts there. */
  bringBase(path: string): Promise<{ readonly kind: 'brought'; readonly base: string; readonly conflicts: readonly string[] } | GitProblem>;
  /** Removes a worktree. Uncommitted changes are first kept under that ref. The branch is deleted only if its work is on the base. */
  close(request: {
    readonly path: string;
    readonly branch: string;
    readonly isMerged: boolean;
    readonly keepAs: string;
  }): Promise<{ readonly kind: 'closed'; readonly kept: string | null } | GitProblem>;
}

/** What machines share by their remote. Whatever a remote refuses is thrown as an OperatorError: no other task would fare better. */
export interface SharedBase {
  /** Fetches what others have landed, and lets base and checkout follow. Resolves with null, or with why not. */
  catchUp(): Promise<GitProblem | null>;
  /** Pushes a task's branch, so that another machine can go on with it. */
  publish(branch: string, head: string): Promise<void>;
  /** After this, nobody who held the task under that number or an earlier one can land it any more. `merged` says what has landed before. */
  fence(task: string, n: number): Promise<void>;
  /** Removes the pushed branches of a task up to that number. */
  tidy(task: string, n: number): Promise<void>;
}

export interface GitProblem {
  readonly kind: 'trouble';
  /** One line. */
  readonly why: string;
}

export interface OpenedBranch {
  readonly kind: 'opened';
  readonly path: string;
  readonly cwd: string;
  /** The commit of the base to compare with. */
  readonly base: string;
  /** The commit that the agent starts from. */
  readonly head: string;
}

export interface SettleRequest {
  readonly message: string;
  readonly base: string;
  readonly pathspecs: readonly string[];
  /** Patterns that no agent may change. They are reverted to where the branch began, and the agent's version is kept under the ref. */
  readonly protect?: { readonly patterns: readonly string[]; readonly keptRef: string };
}

export interface SettledBranch {
  readonly kind: 'settled';
  readonly head: string;
  readonly tree: string;
  /** Whether the branch has anything that the base does not have. */
  readonly changed: boolean;
  /** Protected paths that were reverted. */
  readonly restored: readonly string[];
}

export interface MergeConflict {
  readonly kind: 'conflict';
  /** The base, with the operator's commits, that it conflicts with. */
  readonly onto: string;
  readonly paths: readonly string[];
}

/** A merge that is not yet on any branch. If it is never landed, nothing is left behind. */
export interface Merging {
  readonly kind: 'merging';
  readonly tree: string;
  /** The commit it is merged onto. Everything in it was proven before or is the operator's. */
  readonly onto: string;
  /** The files of that tree that the pathspecs name. What is written here is landed; no gate runs here. */
  readonly planFolder: string;
  /** Checks out the whole tree for the gates; what they leave there is not landed. Returns the top of that work tree and the folder that commands run in. */
  checkOut(signal: AbortSignal): Promise<{ readonly kind: 'checked-out'; readonly path: string; readonly cwd: string } | GitProblem>;
  /** Which of these paths exist in that tree: files, links, and folders with at least one file that is not hidden. */
  holds(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Commits that tree with these files of the plan folder. Moves the base and writes the ref that records the task, in one transaction. */
  land(request: {
    /** The task's slug. */
    readonly task: string;
    readonly n: number;
    readonly message: string;
    readonly pathspecs: readonly string[];
  }): Promise<{ readonly kind: 'landed'; readonly commit: string } | { readonly kind: 'moved' } | GitProblem>;
  /** Keeps the merged result under that ref for a person to look at. Resolves with null on success. */
  keep(ref: string): Promise<GitProblem | null>;
}
