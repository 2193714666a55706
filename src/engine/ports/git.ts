/** What the loop asks of git, one question at a time. Only `look`, a kept `snapshot` and `commit` write into the user's repository, and what git cannot answer is data. */
export interface GitPort {
  /** The working copy as it is now and how it differs from HEAD; kept: with its objects, as `look` keeps them. Null where there is no repository. */
  snapshot(isKept?: boolean): Promise<Snapshot | null>;
  /** Only the tree, which is much cheaper. Null where there is no repository, or when it could not be named. */
  tree(): Promise<string | null>;
  /** The tree with its objects kept in the repository, so that it can be committed later whatever happens to the files. Null where there is no repository. */
  look(): Promise<Sight | null>;
  /** Why nothing can be committed here, in one line: nobody to name as its author, a rebase under way. Null when nothing is in the way. */
  obstacle(): Promise<string | null>;
  /** Commits exactly that tree, with the user's hooks. Resolves after everything the hooks started is gone; never rejects for what git or a hook did. */
  commit(wish: CommitWish, signal: AbortSignal): Promise<CommitAnswer>;
  /** The commit such a wish led to, if it did: on the first-parent line from HEAD to its parent. */
  findCommit(wish: Pick<CommitWish, 'parent' | 'message' | 'tree'>): Promise<MadeCommit | null>;
}

export interface Snapshot {
  /** Null before the first commit. */
  readonly head: string | null;
  /** All files, tracked or not, ignored ones left out. Null when git could not name it. */
  readonly tree: string | null;
  /** Paths in which the tree differs from HEAD. */
  readonly dirty: readonly string[];
  /** One line of git's about what is missing: some of the files, or the tree itself. Null when all is there. */
  readonly problem: string | null;
}

export interface Sight {
  readonly head: string | null;
  readonly headTree: string | null;
  readonly tree: string | null;
  /** Why there is no tree, in one line of git's. */
  readonly problem: string | null;
}

export interface CommitWish {
  /** The user's words for git, such as `git` or `git -c commit.gpgSign=false`. */
  readonly git: readonly string[];
  readonly parent: string | null;
  /** What the operator adds to every `commit`. */
  readonly flags: readonly string[];
  /** Only ever text, whatever it looks like. */
  readonly message: string;
  readonly tree: string;
  /** The only other state the working copy may be in. */
  readonly treeAfter: string;
  /** Of every process of the commit and its hooks. */
  readonly marker: string;
  /** What git and the hooks said. */
  readonly logFile: string;
  readonly timeoutMs: number;
}

export interface MadeCommit {
  readonly commit: string;
  /** Differs from the one wished for when a hook has changed it. */
  readonly tree: string;
}

export type CommitAnswer =
  | (MadeCommit & { readonly kind: 'made'; readonly leftOut: readonly string[] })
  /** HEAD or the working copy is no longer what was looked at: nothing was committed. */
  | { readonly kind: 'changed'; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string };

/** What a run wants of git beyond looking and committing: what has changed, what must not change, and proofs that stay with a commit. */
export interface GitHistory {
  /** What the working copy has become since that tree, files nobody has added included. Null where git cannot tell. */
  changesSince(tree: string): Promise<Changes | null>;
  /** Puts these patterns' paths back to how they are in the tree, and keeps the working copy as it was under that ref. Empty: there was nothing to put back. */
  putBack(tree: string, patterns: readonly string[], keptRef: string): Promise<readonly string[]>;
  /** Which paths were put back when that ref was made; none if it never was. */
  wasPutBack(tree: string, patterns: readonly string[], keptRef: string): Promise<readonly string[]>;
  /** A fresh checkout of the tree, elsewhere; disposing it removes it. Untracked files are not in it, and ignored ones only if they are wanted. */
  checkOut(tree: string, wish?: CheckoutWish): Promise<Checkout>;
  /** Where the loop works, below the top of the work tree; empty at the top. */
  below(): Promise<string>;
  /** All files and links of a tree, by their paths from its top. */
  filesIn(tree: string): Promise<ReadonlyMap<string, TreeFile>>;
  /** The bytes of a file of a tree. */
  bytesOf(id: string): Promise<Uint8Array>;
  /** Writes the text as the commit's note under refs/notes/ralph, in the place of an earlier one. */
  writeNote(commit: string, text: string): Promise<void>;
  readNote(commit: string): Promise<string | null>;
}

export interface Changes {
  /** One line a file and their sum, as `git diff --stat` has it. Never cut in a way that hides a file: a list too long ends with how many there are. */
  readonly stat: string;
  /** The beginning of the patch, at least as much as a prompt shows; `isWhole` says whether that is all. */
  readonly patch: string;
  readonly isWhole: boolean;
}

export interface TreeFile {
  /** `100644`, `100755` or `120000`. */
  readonly mode: string;
  readonly id: string;
}

/** linked: ignored files are copied, and what is too large for that is a link to the operator's. stand-in: for a folder that is laid over the work tree. */
export interface CheckoutWish {
  readonly ignored: 'linked' | 'stand-in';
}

export interface Checkout extends AsyncDisposable {
  /** The folder that stands for the one the loop works in, and the top of the work tree. */
  readonly path: string;
  readonly top: string;
  /** By their paths below the top, what is too large to copy and is to be shared with the work tree that it stands in for. */
  readonly shared: readonly string[];
}
