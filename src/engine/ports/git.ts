/** What the loop asks of git, one question at a time. Nothing of it is written into the user's repository, and what git cannot answer is data. */
export interface GitPort {
  /** The working copy as it is now and how it differs from HEAD. Null where there is no repository. */
  snapshot(): Promise<Snapshot | null>;
  /** Only the tree, which is much cheaper. Null where there is no repository, or when it could not be named. */
  tree(): Promise<string | null>;
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
