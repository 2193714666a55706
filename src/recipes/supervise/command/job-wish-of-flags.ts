import type { JobWish } from '../start/root-wish.ts';
import { timeOf } from '../../../cli/shared/flag-values.ts';
import { rootWish } from './wish-from-flags.ts';
import type { JobFlags } from './job-flags.ts';

/** What `ralph job` was asked for; what can be read only once is read now. */
export async function jobWishOfFlags(command: readonly string[], flags: JobFlags): Promise<JobWish> {
  return {
    ...(await rootWish(command, flags)),
    parent: flags.parentRunId ?? null,
    run: flags.runId ?? null,
    waitTimeoutMs: timeOf('--wait-timeout', flags.waitTimeout),
    killChildren: flags.killChildren === true,
  };
}
