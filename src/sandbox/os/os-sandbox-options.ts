import type { SandboxRefusal } from '../../engine/ports/sandbox.ts';

export interface OsSandboxOptions {
  /** The user's home, by its real path. */
  readonly home: string | null;
  /** The git common dir of the run's repository, by its real path: trusted. Null without git. */
  readonly commonDir: string | null;
  /** What nobody inside may write, if it is there. */
  readonly sealed: readonly string[];
  /** The same in whatever work tree a process works, by its path below the top. */
  readonly sealedBelow: readonly string[];
  /** What may be written beside the work tree. */
  readonly writable: readonly string[];
  /** What is shown of the home, and of other folders that are empty inside, beside tools and the login. */
  readonly readable: readonly string[];
  /** What is not there inside, wherever it lies and whoever else would show it. */
  readonly hidden: readonly string[];
  /** Sockets of ours that are reached inside. */
  readonly sockets: readonly string[];
  /** Where the work tree is the home itself: of what begins with a dot, what is the project's alone, by its paths below it. */
  readonly tracked: readonly string[];
  /** Whose login an agent finds. */
  readonly agentKind: string;
  /** The allow-list, the model's hosts included. */
  readonly hosts: readonly string[];
  /** Where the proxy listens: a short path outside of every workspace. */
  readonly socketPath: string;
  /** Private, one a project: what stands in for the caches of the home. */
  readonly cacheFolder: string;
  /** The host's own proxy variables. */
  readonly upstream: Readonly<Record<string, string>>;
  /** Told once for each target. */
  readonly onRefused: (refusal: SandboxRefusal) => void;
}
