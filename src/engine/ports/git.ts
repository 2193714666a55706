/**
 * What the loop asks git. Only `look`, a kept `snapshot` and `commit` write to the operator's repository. When git cannot answer, the result says so; nothing
 * is thrown.
 */
export interface GitPort {
  /**
   * The working copy as it is now and how it differs from HEAD. With `isKept`, its objects are stored in the repository, as `look` does. Null without a
   * repository.
   */
  snapshot(isKept?: boolean): Promise<Snapshot | null>;
  /** Only the tree, which is much cheaper. Null without a repository, or when git cannot write the tree. */
  tree(): Promise<string | null>;
  /** The tree, with its objects stored in the repository so that it can be committed later whatever happens to the files. Null without a repository. */
  look(start?: StartOfRun): Promise<TreeLook | null>;
  /** Why nothing can be committed here, in one line: no author is configured, a rebase is in progress. Null when nothing prevents a commit. */
  obstacle(): Promise<string | null>;
  /** Commits exactly that tree and runs the operator's hooks. Resolves after everything the hooks started is gone; never rejects for what git or a hook did. */
  commit(wish: CommitRequest, signal: AbortSignal): Promise<CommitAnswer>;
  /** The commit that this request led to, if any: on the first-parent line from HEAD down to its parent. */
  findCommit(wish: Pick<CommitRequest, 'parent' | 'message' | 'tree'>): Promise<MadeCommit | null>;
}

export interface Snapshot {
  /** Null before the first commit. */
  readonly head: string | null;
  /** All files, tracked or not, without ignored ones. Null when git could not write the tree. */
  readonly tree: string | null;
  /** Paths in which the tree differs from HEAD. */
  readonly dirty: readonly string[];
  /** Git's line about what is missing: some of the files, or the tree itself. Null when all is there. */
  readonly problem: string | null;
}

/** What a run started with. */
export interface StartOfRun {
  readonly head: string;
  readonly tree: string;
}

/** Files that were dirty at the start and have no commit yet: the first paths, and those of them that have changed since. */
export interface LeftDirt {
  readonly paths: readonly string[];
  readonly changed: readonly string[];
}

export interface TreeLook {
  readonly head: string | null;
  readonly headTree: string | null;
  readonly tree: string | null;
  /** Git's line about why there is no tree. */
  readonly problem: string | null;
  /** The tree without what was dirty at the start, if that was given and there is any such file. */
  readonly withoutDirt?: { readonly tree: string; readonly dirt: LeftDirt };
}

export interface CommitRequest {
  /** The operator's command for git, such as `git` or `git -c commit.gpgSign=false`. */
  readonly git: readonly string[];
  readonly parent: string | null;
  /** What the operator adds to every `commit`. */
  readonly flags: readonly string[];
  /** Always taken as text, whatever it looks like. */
  readonly message: string;
  readonly tree: string;
  /** The only other tree that the working copy may have. */
  readonly treeAfter: string;
  /** The tree of the working copy, with files that stay out of the commit. Absent: it is `tree`. */
  readonly judged?: string;
  /** Marks every process of the commit and its hooks. */
  readonly marker: string;
  /** The output of git and the hooks. */
  readonly logFile: string;
  readonly timeoutMs: number;
}

export interface MadeCommit {
  readonly commit: string;
  /** Differs from the requested tree when a hook has changed it. */
  readonly tree: string;
}

export type CommitAnswer =
  | (MadeCommit & { readonly kind: 'made'; readonly leftOut: readonly string[] })
  /** HEAD or the working copy has changed since it was read: nothing was committed. */
  | { readonly kind: 'changed'; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string };

/** What a run asks git besides reading and committing: changes, protected paths, trees and notes. */
export interface GitHistory {
  /** How the working copy differs from that tree, untracked files included. Null when git cannot tell. */
  changesSince(tree: string): Promise<Changes | null>;
  /** Reverts the paths of these patterns to that tree, and keeps the working copy as it was under that ref. Empty: nothing had to be reverted. */
  revert(tree: string, patterns: readonly string[], keptRef: string): Promise<readonly string[]>;
  /** The paths that were reverted when that ref was made; none if it does not exist. */
  revertedPaths(tree: string, patterns: readonly string[], keptRef: string): Promise<readonly string[]>;
  /** Checks the tree out in a new folder; disposing removes it. Untracked files are not in it, and ignored files only if the request asks for them. */
  checkOut(tree: string, wish?: CheckoutRequest): Promise<Checkout>;
  /** The loop's folder, relative to the top of the work tree; empty at the top. */
  below(): Promise<string>;
  /** All files and links of a tree, by their paths from its top. */
  filesIn(tree: string): Promise<ReadonlyMap<string, TreeFile>>;
  /** The bytes of a file of a tree. */
  bytesOf(id: string): Promise<Uint8Array>;
  /** The bytes of many files in one go. A file that cannot be read is missing, and so is what is beyond 256 MiB. */
  bytesOfAll(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Writes the text as the commit's note under refs/notes/ralph. It replaces an earlier note. */
  writeNote(commit: string, text: string): Promise<void>;
  readNote(commit: string): Promise<string | null>;
}

export interface Changes {
  /** One line for each file and a total, as `git diff --stat` prints it. A list that is too long ends with the number of files, so no change is hidden. */
  readonly stat: string;
  /** The beginning of the patch, at least as much as a prompt shows. `isWhole` says whether it is complete. */
  readonly patch: string;
  readonly isWhole: boolean;
}

export interface TreeFile {
  /** `100644`, `100755` or `120000`. */
  readonly mode: string;
  readonly id: string;
}

/**
 * linked: ignored files are copied, and those too large for that become links to the operator's. stand-in: for a folder that a sandbox mounts over the work
 * tree.
 */
export interface CheckoutRequest {
  readonly ignored: 'linked' | 'stand-in';
}

export interface Checkout extends AsyncDisposable {
  /** The folder that takes the place of the loop's folder, and the top of its work tree. */
  readonly path: string;
  readonly top: string;
  /** Paths below the top that are too large to copy. They are shared with the original work tree. */
  readonly shared: readonly string[];
  /** Makes all of it again, whatever was done to it. */
  renew(): Promise<void>;
}
