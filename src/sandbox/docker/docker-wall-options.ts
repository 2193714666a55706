import type { WallRefusal } from '../../engine/ports/wall.ts';
import type { DockerCli, Variables } from './docker-cli.ts';

export interface DockerWallOptions {
  readonly cli: DockerCli;
  /** The top of the work tree the run was started in. Its path names the sandbox. */
  readonly project: string;
  /** What else commands may work in: the folder of the worktrees, the folder of the task. Made if it is missing, since a sandbox gets its folders once. */
  readonly extraPaths: readonly string[];
  /** Below those, what may be seen and not written: what git and the loop believe. What is missing when the sandbox is made is left out. */
  readonly readOnlyPaths: readonly string[];
  readonly agentKind: string;
  /** All that may be reached, the model's hosts too. Docker takes `*.host` for one level of names only. */
  readonly hosts: readonly string[];
  /** Of the operator. The agents' login is kept in `.dclaude_state` there. */
  readonly home: string;
  /** The single-file hook entry. It lies at the same path inside. */
  readonly hookEntry: string;
  /** Of the loop: what Docker's command line itself is run with. */
  readonly env: Variables;
  /** No other run has commands in the same sandbox: it may be stopped and started. False for the child of a run that has. */
  readonly alone: boolean;
  readonly warn: (text: string) => void;
  readonly onRefused: (refusal: WallRefusal) => void;
  readonly settleMs?: number;
}
