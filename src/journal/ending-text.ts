import { assertNever } from '../kit/pure/objects.ts';
import type { Ending } from './events/attempt.ts';
import type { RunState } from './state/state.ts';

/** How a command ended, in the few words that fit into brackets. */
export function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `exit ${ending.code}`;
    case 'signalled':
      return `killed by ${ending.signal}`;
    case 'stopped':
      return stoppedBecause[ending.cause];
    case 'never-started':
      return `could not be started: ${ending.message}`;
    case 'lost':
      return 'lost';
    default:
      return assertNever(ending);
  }
}

const stoppedBecause = {
  idle: 'ended by us: silent for too long',
  deadline: 'ended by us: out of time',
  output: 'ended by us: too much output',
  lingered: 'ended by us: it had finished but stayed',
  cancelled: 'cancelled',
} as const;

/** What an attempt that failed for now, without a usage limit, is said to be limited by. */
export const OVERLOADED = 'overloaded';

/** What we wait for, as it begins a sentence. */
export function limitName(window: string | null): string {
  if (window === OVERLOADED) return 'The provider cannot answer';
  return window === null ? 'Usage limit' : `Usage limit (${window})`;
}

/** The number the last allowed iteration will have: what was abandoned took a number and is not charged. 0 means no limit. */
export function lastNumber({ run, abandoned }: RunState): number {
  const maximum = run?.settings.maximumIterations ?? 0;
  return maximum === 0 ? 0 : maximum + abandoned;
}
