/** What a run wants of git beyond looking and committing: what has changed, what must not change, and proofs that stay with a commit. */
export interface GitHistory {
  /** What the working copy has become since that tree, files nobody has added included. Null where git cannot tell. */
  changesSince(tree: string): Promise<Changes | null>;
  /** Puts these patterns' paths back to how they are in the tree, and keeps the working copy as it was under that ref. Empty: there was nothing to put back. */
  putBack(tree: string, patterns: readonly string[], keptRef: string): Promise<readonly string[]>;
  /** Which paths were put back when that ref was made; none if it never was. */
  wasPutBack(tree: string, patterns: readonly string[], keptRef: string): Promise<readonly string[]>;
  /** A fresh checkout of the tree, elsewhere; disposing it removes it. Untracked and ignored files are not in it. */
  checkOut(tree: string): Promise<Checkout>;
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

export interface Checkout extends AsyncDisposable {
  readonly path: string;
}
