/** What the loop asks of git. Its commands carry no marker, take no hooks and never touch the user's index. */
export interface GitPort {
  /** The working copy as it is now, tracked or not, ignored files left out. Null where there is no repository. */
  snapshot(): Promise<Snapshot | null>;
}

export interface Snapshot {
  /** Null before the first commit. */
  readonly head: string | null;
  readonly tree: string;
  /** Paths that differ from HEAD. */
  readonly dirty: readonly string[];
}
