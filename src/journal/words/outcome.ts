import * as z from '../../kit/pure/shape.ts';
import { Claim } from './claim.ts';

/** Why a run ends, and the state that it is in then. */
export const STOP_REASONS = {
  all_checks_passed: 'done',
  completed: 'done',
  max_iterations: 'failed',
  budget_exhausted: 'failed',
  timeout: 'failed',
  max_restarts: 'failed',
  blocked: 'waiting',
  waiting: 'waiting',
  stuck: 'failed',
  rate_limited: 'failed',
  held: 'waiting',
  dead_gate: 'failed',
  sealed_red: 'waiting',
  interrupted: 'interrupted',
  fatal: 'failed',
} as const;
export type StopReason = keyof typeof STOP_REASONS;
export const StopReason = z.enum(Object.keys(STOP_REASONS) as [StopReason, ...StopReason[]]);

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
  return STOP_REASONS[stop_reason] === 'done';
}

interface Ended {
  readonly stop_reason: string | null;
  readonly exit_code: number | null;
}

/** The reason as people read it, beside the exit code. Work that is done without the commit or push that was asked for is no success. */
export function outcomeText({ stop_reason, exit_code }: Ended): string {
  const isDoneByName = STOP_REASONS[stop_reason as StopReason] === 'done';
  return isDoneByName && exit_code !== 0 && exit_code !== null ? 'done, but not committed or pushed' : `${stop_reason}`;
}

/** Nothing is wrong with such a run: it goes on where it stopped, once somebody lets it or its limit is over. */
export function isCutShort({ stop_reason }: Pick<Ended, 'stop_reason'>): boolean {
  return stop_reason === 'interrupted' || stop_reason === 'rate_limited';
}

/** The command that continues a run, whatever started it. */
export function howToResume(run: string): string {
  return `ralph runs resume ${run}`;
}

/**
 * What the cause of a failed attempt asks of the loop. passing: try again, after a pause that grows. waiting: wait, then try again. permanent: only a person can
 * help, so the run stops at once. empty: try again a few times.
 */
export const CauseClass = z.enum(['passing', 'waiting', 'permanent', 'empty']);
export type CauseClass = z.infer<typeof CauseClass>;

export const CauseKind = z.enum([
  ...(['crash', 'stopped', 'lost', 'provider', 'context', 'refusal', 'turns', 'budget'] as const),
  ...(['limit', 'overload'] as const),
  ...(['login', 'credit', 'forbidden', 'not_found', 'flag', 'prompt', 'gave_up', 'repeated'] as const),
  'empty',
]);
export type CauseKind = z.infer<typeof CauseKind>;

/** Why an attempt failed, in words that every agent shares. */
export const Cause = z.strictObject({ class: CauseClass, kind: CauseKind });
export type Cause = Readonly<z.infer<typeof Cause>>;

/** A cause with the agent's or the provider's own words, as a run remembers it. */
export interface ToldCause extends Cause {
  readonly message: string;
}

/** `permanent (login)`; where class and kind are one word, that word. */
export function causeText({ class: name, kind }: Cause): string {
  return name === kind ? name : `${name} (${kind.replaceAll('_', ' ')})`;
}
