import type { SandboxFlags } from '../../../cli/shared/sandbox-flags.ts';

/** The options of `ralph loop` as commander hands them over. */
export interface LoopFlags extends SandboxFlags {
  readonly check?: readonly string[];
  readonly checks?: boolean;
  readonly spec?: string;
  readonly followSpec?: boolean;
  readonly maxIterations?: string;
  readonly maxCost?: string;
  readonly maxTime?: string;
  readonly completionTag?: string;
  readonly requireTag?: string;
  readonly agent?: string;
  readonly agentKind?: string;
  readonly model?: string;
  readonly autonomy?: string;
  readonly config?: string;
  readonly worktree?: boolean;
  readonly commit?: boolean;
  readonly checkTimeout?: string;
  readonly iterationTimeout?: string;
  readonly idleTimeout?: string;
  readonly maxLimitWait?: string;
  readonly baseline?: boolean;
  readonly flakyRetries?: string;
  readonly parallelChecks?: boolean;
  readonly verify?: string;
  readonly witness?: readonly string[];
  readonly report?: ReportFormat;
  readonly reportFile?: string;
  readonly resume?: string | true;
  readonly dryRun?: boolean;
  readonly streamAgentOutput?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export type ReportFormat = 'json' | 'markdown' | 'github';
