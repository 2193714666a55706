import type { SandboxFlags } from './sandbox-flags.ts';

/** The options of `ralph run` as commander hands them over. */
export interface RunFlags extends SandboxFlags {
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
  readonly guardrail?: readonly string[];
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

const SHORT: Readonly<Record<string, string>> = { prompt: '-p', promptFile: '-f', maximumIterations: '-m', completionResponse: '-c' };

/** The flag an option is given by, in its short form if there is one. */
export function flagOf(option: keyof RunFlags): string {
  return SHORT[option] ?? `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
