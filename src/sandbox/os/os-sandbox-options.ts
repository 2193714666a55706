import type { SandboxRefusal } from '../../engine/ports/sandbox.ts';

export interface OsSandboxOptions {
  /** The user's home, by its real path. */
  readonly home: string | null;
  /** The git common dir of the run's repository, by its real path. It is trusted. Null without git. */
  readonly commonDir: string | null;
  /** Paths that no process inside may write, if they exist. */
  readonly sealed: readonly string[];
  /** The same, relative to the top of whichever work tree a process works in. */
  readonly sealedBelow: readonly string[];
  /** Paths outside the work tree that may be written. */
  readonly writable: readonly string[];
  /** Paths in the home and in other covered folders that are shown in addition to tools and the login. */
  readonly readable: readonly string[];
  /** Paths that are hidden inside, even if another rule shows them. */
  readonly hidden: readonly string[];
  /** Ralph's own sockets that processes inside may use. */
  readonly sockets: readonly string[];
  /** For a work tree that is the home itself: the names with a dot that belong to the project, relative to the home. */
  readonly tracked: readonly string[];
  /** The agent whose login is available. */
  readonly agentKind: string;
  /** The allow-list, including the model's hosts. */
  readonly hosts: readonly string[];
  /** The proxy's socket: a short path outside every workspace. */
  readonly socketPath: string;
  /** A private folder per project that replaces the caches of the home. */
  readonly cacheFolder: string;
  /** The host's own proxy variables. */
  readonly upstream: Readonly<Record<string, string>>;
  /** Called once for each target. */
  readonly onRefused: (refusal: SandboxRefusal) => void;
}
