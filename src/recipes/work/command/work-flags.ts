import type { SandboxFlags } from '../../../cli/shared/sandbox-flags.ts';

/** The options of `ralph work` as commander hands them over. */
export interface WorkFlags extends SandboxFlags {
  readonly plan?: string;
  readonly projectDir?: string;
  readonly ralphDir?: string;
  readonly skipReview?: boolean;
  readonly reviewCap?: string;
  readonly reviews?: string;
  readonly reviewAgent?: string;
  readonly failOnCap?: boolean;
  readonly createBranch?: boolean;
  readonly wait?: boolean;
  /** False with `--no-hooks`. */
  readonly hooks?: boolean;
  readonly story?: string;
  readonly milestone?: string;
  readonly tag?: readonly string[];
  readonly agent?: string;
  readonly agentKind?: string;
  readonly model?: string;
  readonly autonomy?: string;
  readonly template?: string;
  readonly promptCommand?: string;
  readonly workers?: string;
  readonly check?: readonly string[];
  readonly requireProof?: boolean;
  readonly retryFailed?: string;
  readonly unprovenTries?: string;
  readonly resolveTries?: string;
  readonly failOnBlocked?: boolean;
  readonly maxFailures?: string;
  readonly maxIterations?: string;
  readonly maxCost?: string;
  readonly maxTime?: string;
  readonly idleTimeout?: string;
  readonly iterationTimeout?: string;
  readonly maxLimitWait?: string;
  readonly pause?: string;
  readonly allowDirty?: boolean;
  readonly resume?: string | true;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}
