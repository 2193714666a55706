import type { RootFlags } from './root-flags.ts';

/** The options of `ralph job` as commander hands them over. */
export interface JobFlags extends RootFlags {
  readonly parentRunId?: string;
  readonly runId?: string;
  readonly waitTimeout?: string;
  readonly killChildren?: boolean;
  readonly detach?: boolean;
  readonly follow?: boolean;
}
