import type { ProcessRequest } from '../../process/process-request.ts';
import type { SandboxMode } from '../../settings/schema/sandbox-spec.ts';

/** The sandbox between the processes of an agent and the machine. */
export interface SandboxPort {
  readonly mode: SandboxMode;
  /** How to run this command inside the sandbox. Rejects with an OperatorError when the sandbox is not available; it never silently uses a weaker one. */
  enclose(call: SandboxCall): Promise<SandboxedCall>;
}

/** One process that is about to start. */
export interface SandboxCall {
  /** gate: a command of the operator's that runs code written by agents: gates, setup, commit hooks. It needs no agent login. */
  readonly who: 'agent' | 'gate';
  readonly file: string;
  readonly args: readonly string[];
  /** Its folder in the work tree. It may write there unless it judges. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** It judges the work of another agent: the work tree is read-only. */
  readonly judges?: boolean;
  /** A repository that the process sees in place of the run's repository. Absent: it sees the run's repository. */
  readonly ownGit?: OwnGit;
  /** A folder that the process sees in place of the work tree. Absent: it sees the work tree. */
  readonly ownFolder?: OwnFolder;
  /** Set when the process runs sealed checks. */
  readonly sealed?: SealedFiles;
  /** A folder for the caches of its tools. Absent: that of all agents, or of all gates. */
  readonly caches?: string;
  /** Other programs that it may start. They are found as `file` is. */
  readonly programs?: readonly string[];
  /** It needs no network, and starts faster without. */
  readonly isOffline?: boolean;
  /** Its standard input, which may contain paths of the work tree. */
  readonly stdin?: string;
}

/**
 * Files that only one process sees, at an absolute path in its work tree. That process runs agents' code on them, so it gets no network, no socket and no
 * folder that outlives it: it cannot pass anything on to an agent.
 */
export interface SealedFiles {
  readonly at: string;
  readonly from: string;
}

/** A process's own copy of the files. */
export interface OwnFolder {
  readonly folder: string;
  /** Folders, by their paths below it, that remain the operator's. */
  readonly shared: readonly string[];
  /** Paths below it that are hidden. */
  readonly covered?: readonly { readonly path: string; readonly isFolder: boolean }[];
}

/** A repository that only one process sees. */
export interface OwnGit {
  readonly folder: string;
  /** Where the operator's objects, and those of git-lfs, are readable inside the sandbox. */
  readonly borrowed: readonly { readonly path: string; readonly from: string }[];
  /** Other folders of objects that it reads: the operator's repository may itself borrow from them. */
  readonly lenders: readonly string[];
}

/** It is spread into a ProcessRequest, so both have these properties from one type: a different name would be lost without an error. */
export interface SandboxedCall
  extends Pick<SandboxCall, 'file' | 'args' | 'cwd' | 'env'>,
    Required<Pick<ProcessRequest, 'stopDepth'>>,
    Pick<ProcessRequest, 'namespaceArgs' | 'extraInput' | 'uses'> {
  /** The standard input with paths adjusted, where the work tree has another path for the process. */
  readonly stdin?: string;
  /** Call this once the process and everything it started are gone, however it ended. */
  leave(): Promise<void>;
}

/** What the sandbox refused, as far as it can tell. */
export interface SandboxRefusal {
  readonly what: 'network' | 'write' | 'planted' | 'history';
  /** As in the event `wall.refused`. */
  readonly target: string;
  /** Files that did not land, and where they are kept. */
  readonly kept?: { readonly ref: string; readonly paths: readonly string[] };
}
