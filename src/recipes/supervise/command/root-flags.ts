import type { SandboxFlags } from '../../../cli/shared/sandbox-flags.ts';

/** The options of a root agent as commander hands them over. */
export interface RootFlags extends SandboxFlags {
  readonly root?: string;
  readonly project?: string;
  readonly task?: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly agent?: string;
  readonly agentKind?: string;
  readonly model?: string;
  readonly autonomy?: string;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly check?: readonly string[];
  readonly requireProof?: boolean;
  readonly idleTimeout?: string;
  readonly runTimeout?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export interface SuperviseFlags extends RootFlags {
  readonly maxRestarts?: string;
  readonly restartDelay?: string;
  readonly backoff?: string;
  readonly restartIntensity?: string;
  readonly dependsOn?: readonly string[];
  readonly pollInterval?: string;
  readonly finishOnDone?: string;
  readonly waitTimeout?: string;
  readonly waitScope?: string;
  readonly killChildren?: boolean;
  readonly failOnBlocked?: boolean;
}
