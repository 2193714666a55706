import * as z from '../../kit/pure/shape.ts';
import { Claim } from './claim.ts';

export const StopReason = z.enum([
  'all_checks_passed',
  'completed',
  'max_iterations',
  'budget_exhausted',
  'timeout',
  'max_restarts',
  'blocked',
  'waiting',
  'stuck',
  'rate_limited',
  'held',
  'dead_gate',
  'sealed_red',
  'interrupted',
  'fatal',
]);
export type StopReason = z.infer<typeof StopReason>;

/** How a run ended, in the words of `--json`. */
export const Outcome = z.strictObject({
  stop_reason: StopReason,
  message: z.string(),
  /** The accepted claim, and whether it was proven. */
  claim: Claim.nullable(),
  unproven: z.boolean(),
  /** Accepted although the workspace is exactly as it was at the start. */
  zero_work: z.boolean(),
  /** Who interrupted it; null for every other ending. */
  signal: z.string().nullable(),
  /** The exit code of the process. For `fatal` it is 2 if the operator can fix it, 4 if the environment is at fault. */
  exit_code: z.number().int(),
});
export type Outcome = Readonly<z.infer<typeof Outcome>>;

/** The outcome of a run that is not done; callers override the fields that differ. */
export function notDone(stop_reason: StopReason, message: string, exit_code = 1): Outcome {
  return { stop_reason, message, claim: null, unproven: false, zero_work: false, signal: null, exit_code };
}

/** Only these mean that the work is done. A run that waits for a person has exit code 0 too, but is not done. */
export function isDone({ stop_reason }: Pick<Outcome, 'stop_reason'>): boolean {
  return stop_reason === 'completed' || stop_reason === 'all_checks_passed';
}

/** The command that continues a run, whatever started it. */
export function howToResume(run: string): string {
  return `ralph runs resume ${run}`;
}
