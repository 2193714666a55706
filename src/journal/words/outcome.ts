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
  /** The claim that was accepted, and whether anything proved it. */
  claim: Claim.nullable(),
  unproven: z.boolean(),
  /** Accepted although the workspace is exactly as it was at the start. */
  zero_work: z.boolean(),
  /** Who interrupted it; null for every other ending. */
  signal: z.string().nullable(),
  /** Of the process: for `fatal` 2 if it is the operator's to mend, 4 if it is the environment's. */
  exit_code: z.number().int(),
});
export type Outcome = Readonly<z.infer<typeof Outcome>>;

/** The ending of a run that did not get done; the exceptions fill in what differs. */
export function notDone(stop_reason: StopReason, message: string, exit_code = 1): Outcome {
  return { stop_reason, message, claim: null, unproven: false, zero_work: false, signal: null, exit_code };
}

/** Only these say that the work is done; a run that waits for somebody has the exit code of one that is. */
export function isDone({ stop_reason }: Pick<Outcome, 'stop_reason'>): boolean {
  return stop_reason === 'completed' || stop_reason === 'all_checks_passed';
}

/** The command that goes on with a run, whatever it was started with. */
export function howToResume(run: string): string {
  return `ralph runs resume ${run}`;
}
