import type { WallMode } from '../../settings/schema/wall.ts';

/** What stands between what an agent starts and the machine. */
export interface WallPort {
  readonly mode: WallMode;
  /** How this command is run behind the wall. Rejects with an OperatorError when the wall cannot be had: never a weaker one in silence. */
  enclose(call: WallCall): Promise<Enclosed>;
}

/** One process that is about to be started. */
export interface WallCall {
  /** gate: a command of the operator's, which runs what the agent has written: gates, setup, hooks of a commit. It needs no login of an agent. */
  readonly who: 'agent' | 'gate';
  readonly file: string;
  readonly args: readonly string[];
  /** In the work tree it works in, which it may write unless it judges. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** It judges what another has made: the work tree is only to be read. */
  readonly judges?: boolean;
  /** What stands inside where the repository of the run lies. Absent: that repository itself. */
  readonly ownGit?: OwnGit;
  /** What stands inside where the work tree lies. Absent: that work tree itself. */
  readonly ownFolder?: OwnFolder;
  /** It runs sealed checks. Absent: it does not. */
  readonly sealed?: SealedFiles;
  /** It needs no network, and starts sooner without. */
  readonly isOffline?: boolean;
  /** What it is told on its standard input, where that may name the work tree. */
  readonly stdin?: string;
}

/**
 * Files that one process alone sees, at an absolute path in its work tree. It runs code of agents on them, so it gets no network, no socket and no folder that
 * outlives it: nothing of what it sees can be kept for an agent.
 */
export interface SealedFiles {
  readonly at: string;
  readonly from: string;
}

/** Files that a process has for itself. */
export interface OwnFolder {
  readonly folder: string;
  /** By their paths below it, what is the operator's all the same: folders. */
  readonly shared: readonly string[];
  /** By their paths below it, what is not seen. */
  readonly covered?: readonly { readonly path: string; readonly isFolder: boolean }[];
}

/** A repository that one process has for itself. */
export interface OwnGit {
  readonly folder: string;
  /** Where the objects of the operator are read inside, and those of git-lfs. */
  readonly borrowed: readonly { readonly path: string; readonly from: string }[];
  /** Folders of objects that the operator borrows from in turn. */
  readonly lenders: readonly string[];
}

export interface Enclosed extends Pick<WallCall, 'file' | 'args' | 'cwd' | 'env'> {
  /** How many only children below the started process the one is that is asked to stop: what is wrapped around it would not pass the question on. */
  readonly askDepth: number;
  /** As in ProcessRequest. */
  readonly namespaceArgs?: readonly string[];
  /** What it is told then, where the work tree lies elsewhere for it. */
  readonly stdin?: string;
  /** What the started process reads at descriptor 3. */
  readonly handed?: Uint8Array;
  /** To be called once it has ended and all it started is gone, however it ended. */
  leave(): Promise<void>;
}

/** What the wall did not let through, as far as it can tell. */
export interface WallRefusal {
  readonly what: 'network' | 'write' | 'planted' | 'history';
  /** As in the event `wall.refused`. */
  readonly target: string;
}
