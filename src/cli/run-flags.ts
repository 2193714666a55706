/** The options of `ralph run` as commander hands them over. */
export interface RunFlags {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly maximumIterations?: string;
  readonly maxIterations?: string;
  readonly completionResponse?: string;
  readonly completionPromise?: string;
  readonly agent?: string;
  readonly backend?: string;
  readonly tool?: string;
  readonly agentKind?: string;
  readonly model?: string;
  readonly autonomy?: string;
  readonly guardrail: readonly string[];
  readonly idleTimeout?: string;
  readonly iterationTimeout?: string;
  readonly maxLimitWait?: string;
  readonly requireProof?: boolean;
  readonly requireChange?: boolean;
  readonly resume?: string | true;
  readonly streamAgentOutput?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}
